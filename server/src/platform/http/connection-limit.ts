import type { Server, Socket } from 'node:net'

/** Descriptors for the program itself, its notification channels and the files that jobs read. */
const reservedDescriptors = 128

// Known to Node, but not to its types.
type Report = typeof process.report & { excludeNetwork: boolean }
type ReportContent = { userLimits?: { open_files?: { soft: number | 'unlimited' } } }

export type ConnectionLimit = {
  /** How many connections may be open now, on all servers together. */
  maxConnections(): number
  /** How many of them may be quiet. */
  maxQuietConnections: number
}

/** The rest is for contacts, downloads and people. */
const maxShareOfQuiet = 0.8

/**
 * Closes connections that would use up the file descriptors for database connections and files. Without this limit, idle
 * connections could make every other request fail, and a worker without a free descriptor would never again receive a
 * connection from the primary process.
 *
 * A connection that downloads a file takes two descriptors. A quiet one, on which an agent waits for a call, never does.
 */
export function limitConnections(
  servers: readonly Server[],
  databaseConnections: number,
  countQuiet: () => number,
): ConnectionLimit {
  const limit = findDescriptorLimit()
  if (limit === undefined)
    return { maxConnections: () => Number.POSITIVE_INFINITY, maxQuietConnections: Number.POSITIVE_INFINITY }
  const available = Math.max(limit - reservedDescriptors - databaseConnections, limit / 2)
  const maxConnections = () => Math.max(1, Math.floor((available + countQuiet()) / 2))
  let open = 0
  const handleClose = () => {
    open--
  }
  const handleConnection = (socket: Socket) => {
    open++
    socket.once('close', handleClose)
    if (open > maxConnections()) socket.destroy()
  }
  for (const server of servers) server.prependListener('connection', handleConnection)
  return { maxConnections, maxQuietConnections: Math.floor(available * maxShareOfQuiet) }
}

/** The number of file descriptors that this process may open; undefined if there is no limit or it is unknown. */
function findDescriptorLimit(): number | undefined {
  const report = process.report as Report
  // Otherwise the report looks up the names of all connected hosts.
  report.excludeNetwork = true
  const limit = (report.getReport() as ReportContent).userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}
