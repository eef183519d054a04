import { isLockTimeout } from '../../database/errors.ts'
import { resourceBusy } from '../general-problems.ts'
import { Problem } from '../problem.ts'
import type { HealthFinding } from './health.ts'

/** Observes whether contacts of agents are answered. */
export type ContactFlow = {
  run<T>(contact: () => Promise<T>): Promise<T>
  findObstruction(): HealthFinding | undefined
}

/** Longer than the deadline of the lane of contacts. */
const maxDurationMs = 5_000
/** Fewer may wait because each of them has a reason of its own. */
const minWaiting = 3
const windowMs = 10_000
/** Fewer failures than these may all be those of one computer that tries again and again. */
const minFailures = 20

const stuck: HealthFinding = {
  code: 'ContactsStuck',
  status: 'failed',
  detail: 'Contacts of agents wait too long for their answer.',
}
const failing: HealthFinding = {
  code: 'ContactsFailing',
  status: 'failed',
  detail: 'All recent contacts of agents failed.',
}

export function openContactFlow(): ContactFlow {
  const inProgress = new Set<{ startedAt: number }>()
  let failures: number[] = []
  let answeredAt = Number.NEGATIVE_INFINITY

  function recordFailure(): void {
    failures.push(performance.now())
    // Older ones do not matter for the question whether there are enough.
    failures = failures.slice(-minFailures)
  }

  return {
    async run(contact) {
      const entry = { startedAt: performance.now() }
      inProgress.add(entry)
      try {
        const answer = await contact()
        answeredAt = performance.now()
        return answer
      } catch (error) {
        if (isFaultOfService(error)) recordFailure()
        else answeredAt = performance.now()
        throw error
      } finally {
        inProgress.delete(entry)
      }
    },
    findObstruction() {
      const now = performance.now()
      const late = [...inProgress].filter(({ startedAt }) => now - startedAt > maxDurationMs)
      if (late.length >= minWaiting && late.every(({ startedAt }) => startedAt > answeredAt)) return stuck
      const recent = failures.filter((at) => now - at < windowMs)
      return recent.length >= minFailures && now - answeredAt > windowMs ? failing : undefined
    },
  }
}

/** A computer whose row is locked is refused as well, but that concerns this computer alone. */
function isFaultOfService(error: unknown): boolean {
  if (error instanceof Problem) return error.kind.status >= 500 && error.kind !== resourceBusy
  return !isLockTimeout(error)
}
