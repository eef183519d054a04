import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** `failed`: the checks that did not pass, with their codes. */
type Probe = { at: number; status: number | string; failed?: string }

/** Times are those of `performance.now()`. */
export type Readiness = {
  /** Whether the service has the operation at all. */
  isSupported(): boolean
  /** When the first probe between two times was sent that was answered with something other than 200, or not at all. */
  findFalse(since: number, until: number): number | undefined
  findTrue(since: number): number | undefined
  /** The periods between two times in which readiness was false, from the first to the last probe of each. */
  listFalse(since: number, until: number): { from: number; until: number }[]
  /** What the last probe reported that was not answered with 200. */
  lastReason(): string
  stop(): Promise<void>
}

export const probeIntervalMs = 100
const timeoutMs = 1_000

/** Asks whether the service is ready as a load balancer does, each time on a new connection. */
export function watchReadiness(address: string): Readiness {
  const probes: Probe[] = []
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const at = performance.now()
      probes.push({ at, ...(await probe(`${address}/health/ready`)) })
      await sleep(Math.max(0, at + probeIntervalMs - performance.now()))
    }
  })()
  const between = (since: number, until: number) => probes.filter(({ at }) => at >= since && at <= until)
  return {
    isSupported: () => !probes.some(({ status }) => status === 404),
    findFalse: (since, until) => between(since, until).find(({ status }) => status !== 200)?.at,
    findTrue: (since) => between(since, Number.POSITIVE_INFINITY).find(({ status }) => status === 200)?.at,
    listFalse(since, until) {
      const periods: { from: number; until: number }[] = []
      let isFalse = false
      for (const { at, status } of between(since, until)) {
        const last = periods.at(-1)
        if (status !== 200 && isFalse && last) last.until = at
        else if (status !== 200) periods.push({ from: at, until: at })
        isFalse = status !== 200
      }
      return periods
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
