/**
 * Errors of the operating system and of PostgreSQL that mean: there is none left of something now, and there will be
 * again. The same request or job succeeds later. A failing device (EIO), a missing file or a missing permission is not
 * among them, because somebody has to repair it first. Neither is 53300, too many connections: the database is then
 * unavailable.
 */
const resourcesByCode = new Map<unknown, string>(
  Object.entries({
    EMFILE: 'file descriptors',
    ENFILE: 'file descriptors',
    ENOMEM: 'memory',
    ENOBUFS: 'network buffers',
    // Too many processes, or too many connections that wait for the Unix socket of PostgreSQL.
    EAGAIN: 'processes or waiting connections',
    EADDRNOTAVAIL: 'local network ports',
    ENOSPC: 'disk space',
    EDQUOT: 'disk space',
    ERR_WORKER_INIT_FAILED: 'threads',
    ERR_WORKER_OUT_OF_MEMORY: 'memory',
    '53000': 'resources of the database',
    '53100': 'disk space of the database',
    '53200': 'memory of the database',
    '53400': 'resources of the database',
  }),
)

/** What has run out, as a noun for people; undefined if the error has another cause. */
export function findExhaustedResource(error: unknown): string | undefined {
  for (const { code } of withCauses(error)) {
    const resource = resourcesByCode.get(code)
    if (resource) return resource
  }
  return undefined
}

/** True when something has run out, so trying again later makes sense. */
export function isResourceExhausted(error: unknown): boolean {
  return findExhaustedResource(error) !== undefined
}

/** True for a shortage that ends by itself. On a full disk, somebody has to free space. */
export function isBriefShortage(error: unknown): boolean {
  return isResourceExhausted(error) && findExhaustedResource(error) !== resourcesByCode.get('ENOSPC')
}

/** The error, its causes and the errors that it aggregates. */
export function withCauses(error: unknown): Iterable<Error & { code?: unknown }> {
  const found = new Set<Error>()
  const visit = (current: unknown) => {
    if (!(current instanceof Error) || found.has(current)) return
    found.add(current)
    visit(current.cause)
    if (current instanceof AggregateError) current.errors.forEach(visit)
  }
  visit(error)
  return found
}
