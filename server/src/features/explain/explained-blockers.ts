import type { Blocker } from '../hand-out/blockers.ts'
import type { OrderBlocker } from '../hand-out/waiting-work.ts'
import type { ExplainedBlocker } from './api/schemas.ts'

export function toExplainedBlocker({ reason, until, packages, message }: Blocker | OrderBlocker): ExplainedBlocker {
  return { reason, untilUtc: until, packages, message }
}

/** A blocker that somebody has to resolve. */
export function newBlocker(reason: ExplainedBlocker['reason'], message: string): ExplainedBlocker {
  return { reason, untilUtc: null, packages: [], message }
}

/** When all blockers have ended by themselves; null if one does not. */
export function findEarliestRun(earliest: Date | null, blockers: readonly ExplainedBlocker[]): Date | null {
  if (blockers.some(({ untilUtc }) => untilUtc === null)) return null
  const times = [earliest, ...blockers.map(({ untilUtc }) => untilUtc)].filter((time) => time !== null)
  return times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime())))
}
