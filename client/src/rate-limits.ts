/** A few limits are in use at a time. A service must not fill the memory with others. */
const maxLimits = 100
const maxHeaderLength = 1_000

/** One limit in the header `RateLimit`: its name, and its parameters. */
const limitFormat = /"[^"]*"((?:;[a-z]+=[^;,"]*)*)/g

/**
 * The seconds until the caller may make requests again, from the header `RateLimit` of draft-ietf-httpapi-ratelimit-headers.
 * Undefined while a request is left.
 */
export function secondsUntilFree(header: string | null): number | undefined {
  if (header === null || header.length > maxHeaderLength) return undefined
  const limits = [...header.matchAll(limitFormat)].map(([, parameters = '']) => ({
    remaining: parameterOf(parameters, 'r'),
    reset: parameterOf(parameters, 't') ?? 0,
  }))
  const usedUp = limits.filter(({ remaining }) => remaining === 0).map(({ reset }) => reset)
  return usedUp.length > 0 ? Math.max(...usedUp) : undefined
}

function parameterOf(parameters: string, name: string): number | undefined {
  const value = new RegExp(`;${name}=(\\d{1,9})(?:;|$)`).exec(parameters)?.[1]
  return value === undefined ? undefined : Number(value)
}

/** Remembers which limits are used up, so requests that would be refused can wait instead. */
export function openUsedUpLimits() {
  const freeAt = new Map<string, number>()
  const keyOf = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`
  return {
    note(request: Request, { headers }: Response): void {
      const seconds = secondsUntilFree(headers.get('ratelimit'))
      const key = keyOf(request)
      freeAt.delete(key)
      if (seconds === undefined) return
      freeAt.set(key, Date.now() + seconds * 1_000)
      for (const [oldest] of freeAt) if (freeAt.size > maxLimits) freeAt.delete(oldest)
    },
    msUntilFree: (request: Request): number => Math.max(0, (freeAt.get(keyOf(request)) ?? 0) - Date.now()),
  }
}
