import { finished, type Writable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { tooManyDownloads } from '../general-problems.ts'
import { declaredRateOf } from './download-rates.ts'
import { networkOf } from './networks.ts'
import { NoPlaceFree, openPlaces } from './places.ts'

/** Limits how many files are downloaded at once, and shares the capacity between networks. */
export type Downloads = {
  /** Waits for its turn. The download ends with the answer, whether that is complete or not. */
  begin(request: Pick<FastifyRequest, 'ip' | 'headers'>, reply: { raw: Writable }): Promise<void>
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

/**
 * A computer that limits itself would keep a place for hours that others need for seconds. Such downloads have places of their
 * own, and use as little of the line as few ordinary ones.
 */
const placesInPlaceOfOne = 10
const maxSlowBytesPerSecond = 256_000

/** Free places go to the networks in turn, and within a network in the order of the requests. `shareOf` divides addresses. */
export function openDownloads({ max, maxPerNetwork }: DownloadLimits, shareOf = networkOf): Downloads {
  const places = openPlaces({
    max: max || Number.POSITIVE_INFINITY,
    ...(max > 0 && maxPerNetwork > 0 && { maxPerShare: maxPerNetwork }),
    maxWaiting,
    maxWaitMs,
  })
  const slowPlaces = openPlaces({
    max: max * placesInPlaceOfOne || Number.POSITIVE_INFINITY,
    ...(max > 0 && maxPerNetwork > 0 && { maxPerShare: maxPerNetwork * placesInPlaceOfOne }),
    maxWaiting,
    maxWaitMs,
  })
  return {
    async begin(request, reply) {
      const isSlow = (declaredRateOf(request) ?? Number.POSITIVE_INFINITY) <= maxSlowBytesPerSecond
      const end = await (isSlow ? slowPlaces : places).take(shareOf(request.ip)).catch((error: unknown) => {
        if (!(error instanceof NoPlaceFree)) throw error
        throw tooManyDownloads().withHeaders({ 'retry-after': retryAfterSeconds })
      })
      finished(reply.raw, end)
    },
    state() {
      const [ordinary, slow] = [places.state(), slowPlaces.state()]
      return { running: ordinary.running + slow.running, waiting: ordinary.waiting + slow.waiting }
    },
  }
}
