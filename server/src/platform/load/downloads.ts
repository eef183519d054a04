import { isIPv6 } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyDownloads } from '../general-problems.ts'
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
  /** Downloads at once from one network; 0: as many as in total. */
  maxPerNetwork: number
}

// An agent closes a connection without data after 30 seconds, and counts that as a failure. A 503 only makes it wait.
const maxWaitMs = 10_000
const maxWaiting = 1_000
const retryAfterSeconds = '10'

/** Free places go to the networks in turn, and within a network in the order of the requests. */
export function openDownloads({ max, maxPerNetwork }: DownloadLimits): Downloads {
  const places = openPlaces({
    max: max || Number.POSITIVE_INFINITY,
    ...(max > 0 && maxPerNetwork > 0 && { maxPerShare: maxPerNetwork }),
    maxWaiting,
    maxWaitMs,
  })
  return {
    async begin(request, reply) {
      const end = await places.take(networkOf(request.ip)).catch((error: unknown) => {
        if (!(error instanceof NoPlaceFree)) throw error
        throw tooManyDownloads().withHeaders({ 'retry-after': retryAfterSeconds })
      })
      finished(reply.raw, end)
    },
    state: places.state,
  }
}

/** The network of an address, such as a site: the first 24 bits of IPv4, the first 64 of IPv6. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined || !isIPv6(address)) return (mapped ?? address).split('.').slice(0, 3).join('.')
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const [first, last] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)]
  const zeros = Array.from({ length: address.includes('::') ? 8 - first.length - last.length : 0 }, () => '0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
