import type { WorkProtocol } from './work-load.ts'

/** The numbers of computers to measure, smallest first. */
export const fleetSizes = (process.env.MUSTER_BENCH_ROLLOUT ?? '10000,100000').split(',').map(Number)

/** The computers of the benchmark of bulk writes. */
export const bulkFleet = Number(process.env.MUSTER_BENCH_BULK ?? 2_000)

export const packageCount = 20

/** How agents get the content of their work and report its results. */
export const workProtocol: WorkProtocol = process.env.MUSTER_BENCH_PROTOCOL === 'requests' ? 'requests' : 'contacts'

/** Agents that have work do it this many at a time, in a process of their own. */
export const agentsAtOnce = Number(process.env.MUSTER_BENCH_AGENTS ?? 32)

/** The contacts of agents without work beside it. */
export const contactsPerSecond = Number(process.env.MUSTER_BENCH_CONTACTS ?? 50)
export const contactingAgents = 500

export const workers = process.env.MUSTER_BENCH_WORKERS ?? '1'

/** With autovacuum off, nothing but the service itself keeps the statistics of the planner current. */
export const postgresSettings: Record<string, string> =
  process.env.MUSTER_BENCH_AUTOVACUUM === 'off' ? { autovacuum: 'off' } : {}

export const targets = {
  /** The rate of an activation in relation to a plain copy of its rows. */
  activation: 0.3,
  itemsPerProcessorSecond: 500,
  /** The cost of a work item in the largest fleet in relation to the smallest one. */
  growth: 1.3,
  /** The rate of contacts in relation to the one before. */
  contactRate: 0.8,
  contactP99: 500,
}
