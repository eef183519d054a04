import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { compileCache } from '../../world/compile-cache.ts'
import { bundledProgram } from '../../world/programs.ts'
import { administerDatabase, type DatabaseAdministrator } from './database.ts'
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts'
import { type Fleet, prepareFleet } from './fleet.ts'
import { type Service, type ServiceSettings, startService } from './service-process.ts'
import { mountSmallDisk, unmountSmallDisk } from './small-disk.ts'
import { withDescendants } from './workers.ts'

/**
 * How service and database are arranged. `embedded`: the service runs its own PostgreSQL, and serves clients itself or by
 * workers. Otherwise the harness runs PostgreSQL, and restarts it when it dies. `proxied`: the service reaches it through
 * the proxy. `small disk` needs a world that has one.
 */
export type Arrangement =
  | 'external'
  | 'proxied'
  | 'small disk'
  | 'workers'
  | 'few files'
  | 'clock'
  | 'embedded'
  | 'embedded, workers'

export type World = {
  administrator: DatabaseAdministrator
  proxy: DatabaseProxy
  fleet: Fleet
  dataDirectory: string
  /** Why the disk cannot be filled, if so. */
  diskObstacle: string | undefined
  service(): Service
  /** On which an answer depends: the clients in this process, those of the service, and those of its database. */
  listProcesses(): number[][]
  /** Starts the service as the arrangement needs it, unless it runs so already. */
  arrange(arrangement: Arrangement): Promise<void>
  /** Starts the service again at the same address; kills it before if it still runs. */
  restartService(): Promise<void>
  shiftClock(milliseconds: number): Promise<void>
  /** Returns what the command that verifies the audit trail reports, if the trail is not intact. */
  verifyAudit(): Promise<string | undefined>
  close(): Promise<void>
}

/** The service accepts a quarter of this many connections: more than the clients of the benchmark open. */
export const maxOpenFiles = 256
export const workerCount = 2

export type WorldOptions = {
  agents: number
  arrangement: Arrangement
  hasSmallDisk: boolean
  /** The data directory of an installation that has been started before. Otherwise a new one is made. */
  installation?: string
  /** A data directory of which the new one is a copy so that it is not set up again. */
  template?: string
}

/** An installation with a fleet, on which one fault after the other is tried. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { agents, arrangement: first, hasSmallDisk, installation, template } = options
  const folder = await mkdtemp(join(tmpdir(), 'muster-faults-'))
  await chmod(folder, 0o711)
  const dataDirectory = installation ?? join(folder, 'data')
  await mkdir(dataDirectory, { mode: 0o711, recursive: true })
  const diskObstacle = hasSmallDisk ? await mountSmallDisk(dataDirectory) : 'This world has no small disk.'
  if (template) await promisify(execFile)('cp', ['-a', `${template}/.`, dataDirectory])
  const clockFile = join(folder, 'clock')
  await writeFile(clockFile, '0')
  const packageStore = join(folder, 'packages')
  const administrator = administerDatabase(dataDirectory)
  const proxy = await startDatabaseProxy(administrator.socketPath)
  let postgres: EmbeddedPostgres | undefined = isEmbedded(first)
    ? undefined
    : await startEmbeddedPostgres({ dataDirectory })
  let arranged = first
  let port = '0'
  const env = { MUSTER_DATA_DIR: dataDirectory, MUSTER_PACKAGE_STORE: packageStore }
  const settings = () => settingsOf(arranged, { ...env, MUSTER_PORT: port }, proxy.port, clockFile)
  const start = () => startService(settings())
  let service = await start()
  port = new URL(service.address).port

  async function close(): Promise<void> {
    await administrator.disconnect()
    await endService(service)
    await postgres?.stop()
    await proxy.close()
    if (hasSmallDisk && !diskObstacle) await unmountSmallDisk(dataDirectory)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  const fleet = await prepareFleet(service.address, packageStore, agents).catch(async (error) => {
    await close()
    throw error
  })
  // Little WAL is kept so that a full disk soon means that none can be written.
  for (const setting of ["max_wal_size = '64MB'", "min_wal_size = '32MB'"])
    await administrator.query(`alter system set ${setting}`)

  async function arrange(arrangement: Arrangement): Promise<void> {
    const before = settings()
    arranged = arrangement
    if (!service.hasEnded() && isDeepStrictEqual(settings(), before)) return
    await administrator.disconnect()
    await endService(service)
    if (isEmbedded(arrangement)) {
      await postgres?.stop()
      postgres = undefined
    } else postgres ??= await startEmbeddedPostgres({ dataDirectory })
    service = await start()
  }

  return {
    administrator,
    proxy,
    fleet,
    dataDirectory,
    diskObstacle,
    service: () => service,
    listProcesses() {
      const ofDatabase = withDescendants(administrator.postmasterPid())
      const ofService = withDescendants(service.pid).filter((pid) => !ofDatabase.includes(pid))
      return [[process.pid], ofService, ofDatabase]
    },
    arrange,
    async restartService() {
      if (!service.hasEnded()) await service.end('SIGKILL')
      service = await start()
    },
    shiftClock: (milliseconds) => writeFile(clockFile, String(milliseconds)),
    verifyAudit: () => verifyAudit(dataDirectory),
    close,
  }
}

function isEmbedded(arrangement: Arrangement): boolean {
  return arrangement.startsWith('embedded')
}

function verifyAudit(dataDirectory: string): Promise<string | undefined> {
  const command = bundledProgram('cli/verify-audit')
  return promisify(execFile)(process.execPath, [command], {
    env: { ...compileCache, MUSTER_DATA_DIR: dataDirectory },
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** A service that does not stop within the promised time is killed: its cell has already reported that. */
async function endService(service: Service): Promise<void> {
  if (service.hasEnded()) return
  const timer = setTimeout(() => service.signal('SIGKILL'), 15_000)
  await service.end('SIGTERM')
  clearTimeout(timer)
}

function settingsOf(
  arrangement: Arrangement,
  env: Record<'MUSTER_DATA_DIR' | 'MUSTER_PACKAGE_STORE' | 'MUSTER_PORT', string>,
  proxyPort: number,
  clockFile: string,
): ServiceSettings {
  const workers = { MUSTER_WORKERS: String(workerCount) }
  if (isEmbedded(arrangement)) return { env: { ...env, ...(arrangement === 'embedded, workers' && workers) } }
  const host =
    arrangement === 'proxied'
      ? `127.0.0.1:${proxyPort}`
      : encodeURIComponent(join(env.MUSTER_DATA_DIR, 'postgres/socket'))
  const external = { ...env, MUSTER_DATABASE_URL: `postgres://muster@${host}/muster?sslmode=disable` }
  if (arrangement === 'workers') return { env: { ...external, ...workers } }
  if (arrangement === 'few files') return { env: external, maxOpenFiles }
  if (arrangement === 'clock') {
    const preload = pathToFileURL(join(import.meta.dirname, 'clock-shift.ts')).href
    return { env: { ...external, NODE_OPTIONS: `--import=${preload}`, FAULT_MATRIX_CLOCK_FILE: clockFile } }
  }
  return { env: external }
}
