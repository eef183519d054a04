import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

type Probe = { at: number; status: number | string }

export type Readiness = {
  /** Whether the service has the operation at all. */
  isSupported(): boolean
  /** Seconds from a time until the first probe that was answered with something else than 200, or not at all. */
  secondsUntilFalse(since: number, until: number): number | undefined
  secondsUntilTrue(since: number): number | undefined
  /** How long readiness was false between two times, at once. */
  maxSecondsFalse(since: number, until: number): number
  stop(): Promise<void>
}

const intervalMs = 100
const timeoutMs = 1_000

/** Asks whether the service is ready as a load balancer does, each time on a new connection. */
export function watchReadiness(address: string): Readiness {
  const probes: Probe[] = []
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const at = performance.now()
      probes.push({ at, status: await probe(`${address}/health/ready`) })
      await sleep(Math.max(0, at + intervalMs - performance.now()))
    }
  })()
  const between = (since: number, until: number) => probes.filter(({ at }) => at >= since && at <= until)
  return {
    isSupported: () => !probes.some(({ status }) => status === 404),
    secondsUntilFalse(since, until) {
      const found = between(since, until).find(({ status }) => status !== 200)
      return found && (found.at - since) / 1000
    },
    secondsUntilTrue(since) {
      const found = between(since, Number.POSITIVE_INFINITY).find(({ status }) => status === 200)
      return found && (found.at - since) / 1000
    },
    maxSecondsFalse(since, until) {
      let max = 0
      let falseSince: number | undefined
      for (const { at, status } of between(since, until)) {
        falseSince = status === 200 ? undefined : (falseSince ?? at)
        if (falseSince !== undefined) max = Math.max(max, at - falseSince)
      }
      return max / 1000
    },
    async stop() {
      isStopped = true
      await watching
    },
  }
}

function probe(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve('cut off'))
    })
    request.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.name))
  })
}
