import type { Server } from 'node:net'

/** Descriptors for the program itself, its notification channels and the files that jobs read. */
const reservedDescriptors = 128

// Known to Node, but not to its types.
type Report = typeof process.report & { excludeNetwork: boolean }
type ReportContent = { userLimits?: { open_files?: { soft: number | 'unlimited' } } }
type LimitedServer = Server & { dropMaxConnection?: boolean }

/**
 * Closes connections that would use up the file descriptors for database connections and files. Without this limit, idle
 * connections could make every other request fail, and a worker without a free descriptor would never again receive a
 * connection from the primary process.
 */
export function limitConnections(servers: readonly LimitedServer[], databaseConnections: number): void {
  const limit = findDescriptorLimit()
  if (limit === undefined) return
  // A connection that downloads a file takes two descriptors.
  const available = Math.max(limit - reservedDescriptors - databaseConnections, limit / 2) / 2
  for (const server of servers) {
    server.maxConnections = Math.max(1, Math.floor(available / servers.length))
    // Otherwise a full worker would return the connection to the primary process, which would offer it again at once.
    server.dropMaxConnection = true
  }
}

/** The number of file descriptors that this process may open; undefined if there is no limit or it is unknown. */
function findDescriptorLimit(): number | undefined {
  const report = process.report as Report
  // Otherwise the report looks up the names of all connected hosts.
  report.excludeNetwork = true
  const limit = (report.getReport() as ReportContent).userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}
