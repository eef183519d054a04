import type { ContactAnswer } from '../protocol.ts'
import { maxLeasedItems } from './leased-work.ts'

/** The traces of leased work: requests about the work carry them, so the service finds the request that has led to it. */
export type WorkTraces = ReturnType<typeof openWorkTraces>

export function openWorkTraces() {
  const traces = new Map<number, string>()
  return {
    /** For a request about this work. One about work of several traces belongs to none of them. */
    headersFor(workIds: readonly number[]): Record<string, string> {
      const [traceparent, ...others] = new Set(workIds.map((workId) => traces.get(workId)))
      return traceparent && others.length === 0 ? { traceparent } : {}
    },
    add({ work }: ContactAnswer): void {
      for (const { workId, traceparent } of work) if (traceparent) traces.set(workId, traceparent)
      // Whatever a server hands out, the agent keeps a limited number of them. A map has the oldest first.
      const superfluous = Math.max(0, traces.size - maxLeasedItems)
      for (const workId of [...traces.keys()].slice(0, superfluous)) traces.delete(workId)
    },
    /** Once the service has the results. */
    delete(workIds: readonly number[]): void {
      for (const workId of workIds) traces.delete(workId)
    },
  }
}
