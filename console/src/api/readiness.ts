import { unreachable } from './problem.ts'
import type { components } from './types.ts'

export type Readiness = components['schemas']['Readiness']

/** Shared by everything that shows the health of the service so that it is asked once. */
export const readinessQuery = {
  queryKey: ['readiness'],
  queryFn: readReadiness,
  // A person who fills in a form should know within seconds that it cannot be saved: this pause and `maxWaitMilliseconds` together
  // are less than seven. The answer costs the service next to nothing.
  refetchInterval: 2_500,
  retry: false,
}

/** A service that accepts connections and answers none is away as well. */
export const maxWaitMilliseconds = 3_500

/** Sent without the cookie: a health check must not keep the session alive. */
export async function readReadiness(): Promise<Readiness> {
  try {
    const response = await fetch('/health/ready', {
      credentials: 'omit',
      signal: AbortSignal.timeout(maxWaitMilliseconds),
    })
    // A node that is not ready answers with 503 and the same body.
    return (await response.json()) as Readiness
  } catch {
    throw unreachable()
  }
}
