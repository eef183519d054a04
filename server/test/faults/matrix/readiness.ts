import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** `failed`: the checks that did not pass, with their codes. */
type Probe = { at: number; status: number | string; failed?: string }

export type Readiness = {
  /** Whether the service has the operation at all. */
  isSupported(): boolean
  /** Seconds from a time until the first probe that was answered with something other than 200, or not at all. */
  secondsUntilFalse(since: number, until: number): number | undefined
  secondsUntilTrue(since: number): number | undefined
  /** How long readiness was false between two times, at once. */
  maxSecondsFalse(since: number, until: number): number
  /** What the last probe reported that was not answered with 200. */
  lastReason(): string
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
      probes.push({ at, ...(await probe(`${address}/health/ready`)) })
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
    lastReason() {
      const last = probes.findLast(({ status }) => status !== 200)
      return last ? `${last.status} ${last.failed ?? ''}`.trim() : ''
    },
    async stop() {
      isStopped = true
      await watching
    },
  }
}

function probe(url: string): Promise<Omit<Probe, 'at'>> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('close', () => resolve({ status: response.statusCode ?? 0, failed: failedChecksIn(text) }))
      response.on('error', () => resolve({ status: 'cut off' }))
    })
    request.on('error', (error: Error & { code?: string }) => resolve({ status: error.code ?? error.name }))
  })
}

type Answer = { checks?: { name: string; status: string; code: string | null; detail: string | null }[] }

function failedChecksIn(text: string): string {
  const { checks = [] } = JSON.parse(text || '{}') as Answer
  const failed = checks.filter(({ status }) => status !== 'passed')
  return failed.map(({ name, code, detail }) => `${name}: ${code} ${detail ?? ''}`.trim()).join(', ')
}
