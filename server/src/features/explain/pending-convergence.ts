import type { Database } from '../../database/connect.ts'
import { findPendingComparison, type PendingComparison } from '../convergence/find-pending-comparison.ts'
import type { ExplainedBlocker } from './api/schemas.ts'
import { newBlocker } from './explained-blockers.ts'

export type ConvergenceBlocker = { verdict: 'Waiting' | 'NotActivated'; blocker: ExplainedBlocker }

/**
 * What keeps convergence from bringing the package now. The rule is that of the comparison which begins waves. Undefined if the
 * computer does not get the package through a converged group.
 */
export async function findPendingConvergence(
  db: Database,
  computerId: number,
  packageId: string,
  assigningGroupId: string,
): Promise<ConvergenceBlocker | undefined> {
  const pending = await findPendingComparison(db, computerId, { packageId, assigningGroupId })
  return pending && toBlocker(pending)
}

function toBlocker({ groupPath, state, until, problemCode }: PendingComparison): ConvergenceBlocker {
  const group = `“${groupPath}” is kept converged`
  switch (state) {
    case 'Comparing':
      return {
        verdict: 'Waiting',
        blocker: {
          ...newBlocker('ComparisonPending', `${group}. The next comparison of its members begins a wave with it.`),
          untilUtc: until,
        },
      }
    case 'WaveNeedsPerson':
      return {
        verdict: 'Waiting',
        blocker: newBlocker(
          'WaveNeedsPerson',
          `${group}, but a wave waits for a person, and later changes wait for it.`,
        ),
      }
    case 'Refused':
      return {
        verdict: 'Waiting',
        blocker: newBlocker('WaveRefused', `${group}, but its next wave was refused with ${problemCode}.`),
      }
    case 'Tried':
      return {
        verdict: 'NotActivated',
        blocker: newBlocker(
          'NotActivated',
          `${group}, but it was tried, cancelled or removed since its last change. The next change or an activation brings it.`,
        ),
      }
  }
}
