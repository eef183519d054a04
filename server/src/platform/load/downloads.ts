import { isIPv6 } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyDownloads } from '../general-problems.ts'

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

type Waiting = { start(): void }

/** Free places go to the networks in turn, and within a network in the order of the requests. */
export function openDownloads({ max, maxPerNetwork }: DownloadLimits): Downloads {
  const running = new Map<string, number>()
  // The network that comes first is the next one.
  const queues = new Map<string, Waiting[]>()
  let total = 0
  let waitingTotal = 0

  const hasRoom = (network: string) =>
    max === 0 || (total < max && (maxPerNetwork === 0 || (running.get(network) ?? 0) < maxPerNetwork))

  function start(network: string): void {
    total++
    running.set(network, (running.get(network) ?? 0) + 1)
  }

  function end(network: string): void {
    total--
    const others = (running.get(network) ?? 1) - 1
    if (others > 0) running.set(network, others)
    else running.delete(network)
    startWaiting()
  }

  function startWaiting(): void {
    for (const [network, queue] of [...queues]) {
      if (!hasRoom(network)) continue
      queues.delete(network)
      const [first, ...rest] = queue
      if (rest.length > 0) queues.set(network, rest)
      start(network)
      first?.start()
    }
  }

  function waitForPlace(network: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = { start: () => resolve(true) }
    queues.set(network, [...(queues.get(network) ?? []), waiting])
    const timer = setTimeout(() => {
      const others = (queues.get(network) ?? []).filter((one) => one !== waiting)
      if (others.length > 0) queues.set(network, others)
      else queues.delete(network)
      resolve(false)
    }, maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  return {
    async begin(request, reply) {
      const network = networkOf(request.ip)
      if (hasRoom(network)) start(network)
      else {
        if (waitingTotal >= maxWaiting) throw tooManyDownloads().withHeaders({ 'retry-after': retryAfterSeconds })
        waitingTotal++
        const isStarted = await waitForPlace(network).finally(() => waitingTotal--)
        if (!isStarted) throw tooManyDownloads().withHeaders({ 'retry-after': retryAfterSeconds })
      }
      finished(reply.raw, () => end(network))
    },
    state: () => ({ running: total, waiting: waitingTotal }),
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
