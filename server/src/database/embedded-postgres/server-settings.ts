import type { AuthenticationSettings } from './authentication-rules.ts'
import type { DatabaseHome } from './database-home.ts'
import { socketPort } from './socket-directory.ts'

const defaults = {
  fsync: 'on',
  shared_buffers: '256MB',
  // Queries over several hundred thousand computers sort and hash their ids in memory.
  work_mem: '16MB',
  max_connections: '100',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Reads are few and mostly cached, so processes for asynchronous reads would only take memory.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
}

export function serverArguments(
  home: DatabaseHome,
  socket: string,
  rules: AuthenticationSettings,
  settings: Record<string, string>,
): string[] {
  // The settings that Muster relies on come last so that a setting of the operator cannot open a port.
  const fixed = {
    listen_addresses: '',
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(socketPort),
    ...rules,
    cluster_name: home.id,
    log_destination: 'stderr',
    logging_collector: 'off',
  }
  const all = Object.entries({ ...defaults, ...settings, ...fixed })
  return ['-D', home.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
