import cluster from 'node:cluster'
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type RateLimit = {
  /** Counts a request under each of the keys, and tells whether one of them has used up its share of the minute. */
  count(keys: readonly string[]): Promise<{ exceeded: boolean; headers: Record<string, string> }>
}

type Limiter = RateLimiterMemory | RateLimiterCluster

/** The name tells what is limited: workers count what bears the same name together. */
export function openRateLimit(name: string, requestsPerMinute: number): RateLimit {
  if (requestsPerMinute === 0) return { count: async () => ({ exceeded: false, headers: {} }) }
  const limits = { keyPrefix: name, points: requestsPerMinute, duration: 60 }
  const limiter = cluster.isWorker ? new RateLimiterCluster(limits) : new RateLimiterMemory(limits)
  return {
    async count(keys) {
      let tightest: RateLimiterRes | undefined
      for (const key of keys) {
        const result = await consume(limiter, key)
        if (!tightest || result.consumedPoints > tightest.consumedPoints) tightest = result
        // What an earlier key has used up is not taken from the later ones.
        if (result.consumedPoints > requestsPerMinute) break
      }
      const { consumedPoints = 0, remainingPoints = requestsPerMinute, msBeforeNext = 0 } = tightest ?? {}
      const exceeded = consumedPoints > requestsPerMinute
      const reset = String(Math.max(1, Math.ceil(msBeforeNext / 1000)))
      const headers = {
        'ratelimit-limit': String(requestsPerMinute),
        'ratelimit-remaining': String(remainingPoints),
        'ratelimit-reset': reset,
        ...(exceeded && { 'retry-after': reset }),
      }
      return { exceeded, headers }
    },
  }
}

async function consume(limiter: Limiter, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((reason: unknown) => {
    if (reason instanceof RateLimiterRes) return reason
    throw reason
  })
}
