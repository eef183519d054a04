import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyDownloads } from '../general-problems.ts'
import { networkOf } from './networks.ts'
import { NoPlaceFree, openPlaces } from './places.ts'

/** Limits how many files are downloaded at once, and shares the capacity between networks. */
export type Downloads = {
  /** Waits for its turn. The download ends with the answer, whether that is complete or not. */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<void>
  state(): { running: number; waiting: number }
}

export type DownloadLimits = {
  /** Downloads at once; 0: any number. */
  max: number
  /** Downloads at once from one network, or from what else divides the clients; 0: as many as in total. */
  maxPerNetwork: number
}

// An agent closes a connection without data after 30 seconds, and counts that as a failure. A 503 only makes it wait.
const maxWaitMs = 10_000
const maxWaiting = 1_000
const retryAfterSeconds = '10'

/** Free places go to the networks in turn, and within a network in the order of the requests. `shareOf` divides addresses. */
export function openDownloads({ max, maxPerNetwork }: DownloadLimits, shareOf = networkOf): Downloads {
  const places = openPlaces({
    max: max || Number.POSITIVE_INFINITY,
    ...(max > 0 && maxPerNetwork > 0 && { maxPerShare: maxPerNetwork }),
    maxWaiting,
    maxWaitMs,
  })
  return {
    async begin(request, reply) {
      const end = await places.take(shareOf(request.ip)).catch((error: unknown) => {
        if (!(error instanceof NoPlaceFree)) throw error
        throw tooManyDownloads().withHeaders({ 'retry-after': retryAfterSeconds })
      })
      finished(reply.raw, end)
    },
    state: places.state,
  }
}
