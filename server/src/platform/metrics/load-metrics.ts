import { Gauge, type Registry } from 'prom-client'
import type { Downloads } from '../load/downloads.ts'
import type { Turns } from '../load/turns.ts'

/** What agents, depots and installers wait for. */
export type MeasuredLoad = { handOutTurns: Turns; downloads: Readonly<Record<string, Downloads>> }

/** How busy the process is with what the largest rollouts need. Of several workers, the metrics show the sum. */
export function addLoadMetrics(registry: Registry, { handOutTurns, downloads }: MeasuredLoad): void {
  new Gauge({
    name: 'muster_hand_outs',
    help: 'Hand-outs of work to agents: those that run, and agents that wait for their turn, estimated.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { running, waiting } = handOutTurns.state()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'muster_hand_outs_per_second',
    help: 'The rate at which work can be handed out, as measured while it was.',
    registers: [registry],
    collect() {
      this.set(handOutTurns.state().perSecond)
    },
  })
  new Gauge({
    name: 'muster_downloads',
    help: 'Files that agents, depots and computers without an agent download, and requests that wait for their turn.',
    labelNames: ['by', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [by, { state }] of Object.entries(downloads)) {
        const { running, waiting } = state()
        this.set({ by, state: 'running' }, running)
        this.set({ by, state: 'waiting' }, waiting)
      }
    },
  })
}
