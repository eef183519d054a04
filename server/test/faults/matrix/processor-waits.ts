import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** For how long the main thread of a process has run, and has waited for a processor, in milliseconds. */
export type Schedule = { ran: number; waited: number }

export function readSchedule(pid: number): Schedule {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number)
  return { ran: ran / 1e6, waited: waited / 1e6 }
}

/** What processes did between two times: how long they ran in total, and how long a request may have waited for them. */
export type Slice = { from: number; until: number; ran: number; waited: number }

export type ProcessorWaits = {
  /**
   * How long some of the processes had to wait between two times because others used the processors, in milliseconds. Times are
   * those of `performance.now()`.
   */
  between(from: number, until: number): number
  stop(): void
}

const intervalMs = 100

/**
 * Watches the processes that the function lists, which may be others each time. A request needs one process of each group after
 * the other, so their waits add up.
 */
export function watchProcessorWaits(listGroups: () => number[][]): ProcessorWaits {
  const slices: Slice[] = []
  let at = performance.now()
  let groups = listGroups().map(readSchedules)
  const timer = setInterval(() => {
    const [from, before] = [at, new Map(groups.flatMap((group) => [...group]))]
    at = performance.now()
    groups = listGroups().map(readSchedules)
    const differences = groups.map((group) => compare(before, group))
    const ran = differences.reduce((sum, group) => sum + group.ran, 0)
    const waits = differences.map(({ waited }) => waited)
    const sum = waits.reduce((total, waited) => total + waited, 0)
    slices.push({ from, until: at, ran, waited: Math.max(...waits, Math.min(sum, at - from)) })
  }, intervalMs)
  return {
    between: (from, until) => waitBetween(slices, from, until, availableParallelism()),
    stop: () => clearInterval(timer),
  }
}

/**
 * The time between two times in which a process waited for a processor, but not what the processes took from each other: at most
 * the processor time that they left to others. The kernel counts a wait when it ends, so it reaches back from there.
 */
export function waitBetween(slices: readonly Slice[], from: number, until: number, processors: number): number {
  let waited = 0
  let ran = 0
  // Waits before this time have not been counted yet.
  let uncounted = until
  for (const slice of slices.toReversed()) {
    const [begin, end] = [Math.max(from, slice.until - slice.waited), Math.min(uncounted, slice.until)]
    if (begin < end) {
      waited += end - begin
      uncounted = begin
    }
    const overlap = Math.min(until, slice.until) - Math.max(from, slice.from)
    if (overlap > 0) ran += (slice.ran * overlap) / (slice.until - slice.from)
  }
  return Math.max(0, Math.min(waited, processors * (until - from) - ran))
}

function readSchedules(pids: readonly number[]): Map<number, Schedule> {
  const schedules = new Map<number, Schedule>()
  for (const pid of pids)
    try {
      schedules.set(pid, readSchedule(pid))
    } catch {
      // It has ended.
    }
  return schedules
}

function compare(before: ReadonlyMap<number, Schedule>, after: ReadonlyMap<number, Schedule>): Schedule {
  const difference = { ran: 0, waited: 0 }
  for (const [pid, { ran, waited }] of after) {
    const earlier = before.get(pid) ?? { ran: 0, waited: 0 }
    difference.ran += ran - earlier.ran
    difference.waited = Math.max(difference.waited, waited - earlier.waited)
  }
  return difference
}
