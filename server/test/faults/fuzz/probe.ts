import { Worker } from 'node:worker_threads'
import type { SimulatedAgent } from '../matrix/fleet.ts'

/** No client may wait this long because of the request of another one. */
export const stallMs = 500

export type ProbeSettings = {
  address: string
  /** The process of the service. */
  pid: number
  authorization: string
  agent: SimulatedAgent
}

/** How long clients waited who only want what every client wants. Times in milliseconds. */
export type ProbeFigures = {
  probe: string
  requests: number
  failed: number
  p50: number
  p99: number
  max: number
}

/** Times of the day, because threads share no other clock. */
export type Stall = {
  probe: string
  from: number
  until: number
  /** How long the main thread of the service ran meanwhile, and how long it had no processor. */
  busyMs: number
  starvedMs: number
}

export type Probe = { stop(): Promise<ProbeFigures[]> }

export type ProbeMessage = { stall: Stall } | { figures: ProbeFigures[] }

/** Starts the clients in a thread of their own so that the generator of hostile requests does not delay them. */
export function startProbe(settings: ProbeSettings, onStall: (stall: Stall) => void): Probe {
  const thread = new Worker(new URL('probe-thread.ts', import.meta.url), { workerData: settings })
  const finished = new Promise<ProbeFigures[]>((resolve, reject) => {
    thread.on('error', reject)
    thread.on('message', (message: ProbeMessage) => {
      if ('stall' in message) onStall(message.stall)
      else resolve(message.figures)
    })
  })
  finished.catch(() => {})
  return {
    async stop() {
      thread.postMessage('stop')
      const figures = await finished
      await thread.terminate()
      return figures
    },
  }
}
