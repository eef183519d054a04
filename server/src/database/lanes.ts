/**
 * The lanes of the database connections. Every request and every background task uses the connections of one lane, so a
 * lane whose connections all wait for something does not stop the others.
 */
export const laneNames = [
  'signIn',
  'contacts',
  'machines',
  'reads',
  'fleetReads',
  'writes',
  'longWork',
  'background',
] as const

export type LaneName = (typeof laneNames)[number]

export type LaneLimits = {
  /** Share of the connections of a process, in thirtieths. */
  weight: number
  minConnections: number
  /** After this long without an answer, the connection is destroyed. Longer than `statementSeconds`. */
  deadlineSeconds: number
  /** After this long, the database itself ends a statement. */
  statementSeconds: number
  /** After this long, the database ends a statement that waits for a lock. */
  lockMilliseconds: number
  /** Whether transactions may pause between their statements for longer than `silentTransactionSeconds`. */
  mayPause?: boolean
  /** Settings of the query planner. */
  planner?: Readonly<Record<string, string>>
}

/**
 * Every statement of the lane finds its rows by keys. The planner prefers to read a table as a whole while it is small, or
 * while its statistics say so, and keeps such a plan for prepared statements when the table has grown. It must not.
 */
const findsRowsByKeys = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/**
 * Statements have one best plan for every value. The planner would make a plan for the values of each of the first five runs on
 * a connection, and some statements of machines take several times as long to plan as to run.
 */
const hasOnePlan = { plan_cache_mode: 'force_generic_plan' }

/**
 * After this long without a statement, the database ends a transaction. One whose connection falls silent keeps its locks
 * until then, among them that of the audit trail.
 */
export const silentTransactionSeconds = { usual: 5, withPauses: 60 }

export const laneLimits: Record<LaneName, LaneLimits> = {
  /** Who calls: principals, sessions, tokens and rate limits. Every request of a principal passes here. */
  signIn: { weight: 3, minConnections: 1, deadlineSeconds: 5, statementSeconds: 4, lockMilliseconds: 2_000 },
  /** Contacts of agents, which wait for nobody. */
  contacts: {
    weight: 4,
    minConnections: 2,
    deadlineSeconds: 3,
    statementSeconds: 2.5,
    lockMilliseconds: 100,
    planner: { ...findsRowsByKeys, ...hasOnePlan },
  },
  /** Everything else that computers, depots and firmware call. */
  machines: {
    weight: 5,
    minConnections: 1,
    deadlineSeconds: 15,
    statementSeconds: 12,
    lockMilliseconds: 2_000,
    planner: hasOnePlan,
  },
  reads: { weight: 5, minConnections: 1, deadlineSeconds: 20, statementSeconds: 15, lockMilliseconds: 2_000 },
  /** Reads whose cost grows with the fleet. */
  fleetReads: { weight: 2, minConnections: 1, deadlineSeconds: 65, statementSeconds: 60, lockMilliseconds: 2_000 },
  writes: { weight: 5, minConnections: 1, deadlineSeconds: 20, statementSeconds: 15, lockMilliseconds: 3_000 },
  /** Changes whose cost grows with the fleet, such as the activation of a large group, and the statistics. */
  longWork: {
    weight: 4,
    minConnections: 3,
    deadlineSeconds: 960,
    statementSeconds: 900,
    lockMilliseconds: 60_000,
    mayPause: true,
  },
  /** Jobs and periodic tasks. Two connections, because a job may write its progress during a transaction. */
  background: {
    weight: 2,
    minConnections: 2,
    deadlineSeconds: 65,
    statementSeconds: 60,
    lockMilliseconds: 10_000,
    mayPause: true,
  },
}

export const defaultConnections = 30

/** The smallest number of connections that gives every lane its minimum. */
export const minConnections = Object.values(laneLimits).reduce((sum, lane) => sum + lane.minConnections, 0)

/** The number of connections of each lane for a process with this many. */
export function laneSizes(connections: number): Record<LaneName, number> {
  const size = ({ weight, minConnections }: LaneLimits) =>
    Math.max(minConnections, Math.floor((connections * weight) / defaultConnections))
  return Object.fromEntries(laneNames.map((name) => [name, size(laneLimits[name])])) as Record<LaneName, number>
}
