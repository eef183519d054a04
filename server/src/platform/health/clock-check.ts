import type { Lane } from '../../database/connect.ts'
import type { HealthCheck, HealthFinding } from './health.ts'
import { probeLane } from './lane-probe.ts'

/** Beyond this, times of tokens, leases and windows are visibly off. */
const maxDifferenceMs = 5_000
/** Beyond this, tokens of other nodes are not valid yet or expire early, and rate limits count other minutes. */
const maxToleratedMs = 60_000
/** A correction of the clock is not a fault forever. */
const jumpMemoryMs = 300_000

const wrong: HealthFinding = {
  code: 'ClockWrong',
  status: 'failed',
  detail: 'The clocks of the service and of its database differ by more than a minute.',
}
const different: HealthFinding = {
  code: 'ClockDifferent',
  status: 'warning',
  detail: 'The clocks of the service and of its database differ by several seconds.',
}
const jumped: HealthFinding = {
  code: 'ClockJumped',
  status: 'warning',
  detail: 'The clock of the service jumped by several seconds.',
}

export type ClockParts = { reads: Lane; now?: () => number }

/**
 * Compares the clock with that of the database, and with the monotonic clock of the process: a database on the same
 * machine shares its jumps.
 */
export function clockCheck({ reads, now = Date.now }: ClockParts): HealthCheck {
  const jumps = openJumpDetector(now)
  return {
    name: 'clock',
    intervalMs: 2_000,
    async run() {
      const hasJumped = jumps.hasJumped()
      const difference = await differenceFromDatabase(reads, now)
      if (difference > maxToleratedMs) return wrong
      if (difference > maxDifferenceMs) return different
      return hasJumped ? jumped : undefined
    },
  }
}

/** The difference that cannot be explained by the duration of the question. Zero if the database does not answer. */
async function differenceFromDatabase(reads: Lane, now: () => number): Promise<number> {
  const sentAt = performance.now()
  const statement = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'
  const answer = await probeLane(reads, statement).catch(() => undefined)
  if (!answer) return 0
  const [row] = answer.rows as { now: number }[]
  const duration = performance.now() - sentAt
  return row ? Math.max(0, Math.abs(now() - row.now) - duration) : 0
}

function openJumpDetector(now: () => number) {
  const offset = () => now() - performance.now()
  let usual = offset()
  let jumpedAt: number | undefined
  return {
    hasJumped(): boolean {
      const drift = offset() - usual
      const isAway = Math.abs(drift) > maxDifferenceMs
      if (isAway) jumpedAt ??= performance.now()
      const isOver = !isAway || (jumpedAt !== undefined && performance.now() - jumpedAt > jumpMemoryMs)
      if (!isOver) return true
      // Clocks drift slowly, and a correction that stays becomes the usual time.
      usual += drift
      jumpedAt = undefined
      return false
    },
  }
}
