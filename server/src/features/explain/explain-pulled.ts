import type { Database } from '../../database/connect.ts'
import type { ComputerExplanation, ExplainedBlocker } from './api/schemas.ts'
import { newBlocker } from './explained-blockers.ts'
import { findPendingConvergence } from './pending-convergence.ts'
import { findUnreleased, listRolloutsOfComputer } from './rollouts-of-computer.ts'

type RequiringPackage = ComputerExplanation['requiredBy'][number]

type Pulled = { verdict: 'NotActivated' | 'Waiting'; blocker: ExplainedBlocker }

/**
 * What a package waits for that no group assigns, but that assigned packages pull in. It comes with the first of them that comes:
 * if an activation brings one, that counts.
 */
export async function explainPulled(
  db: Database,
  computerId: number,
  packageId: string,
  requiredBy: readonly RequiringPackage[],
): Promise<Pulled | undefined> {
  const found: Pulled[] = []
  for (const requiring of requiredBy) found.push(await explainThrough(db, computerId, packageId, requiring))
  return found.find(({ verdict }) => verdict === 'NotActivated') ?? found[0]
}

async function explainThrough(
  db: Database,
  computerId: number,
  packageId: string,
  requiring: RequiringPackage,
): Promise<Pulled> {
  const because = (blocker: ExplainedBlocker) => ({
    ...blocker,
    message: `${requiring.name} requires it. ${blocker.message}`,
  })
  const unreleased = findUnreleased(await listRolloutsOfComputer(db, computerId, [requiring.packageId]))
  if (unreleased) return { verdict: 'Waiting', blocker: because(unreleased) }
  const pending = await findPendingConvergence(db, computerId, packageId, requiring.groupId)
  if (pending) return { verdict: pending.verdict, blocker: because(pending.blocker) }
  const next = newBlocker('NotActivated', 'The next activation brings it to the computer.')
  return { verdict: 'NotActivated', blocker: because(next) }
}
