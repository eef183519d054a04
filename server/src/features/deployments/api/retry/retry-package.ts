import { sql } from 'kysely'
import { lockTextForTransaction } from '../../../../database/advisory-locks.ts'
import type { Database } from '../../../../database/connect.ts'
import { type CountRemovals, ok, operation } from '../../../../platform/operation.ts'
import { PackagePath } from '../../../packages/api/schemas.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { activate } from '../../activation/activate.ts'
import { type ActivationScope, pinScopeGroups } from '../../activation/activation-scope.ts'
import { isForPackage } from '../../activation/due-work.ts'
import { createdContentOf } from '../../activation/planned-content.ts'
import { failingComputers } from '../../failures/current-failures.ts'
import type { Creator } from '../../tasks.ts'
import { PackageRetry, PackageRetryRequest } from './schemas.ts'

export const retryPackage = operation({
  id: 'retryPackage',
  route: 'POST /api/packages/:id/retry',
  summary: 'Retry a package on the computers on which it fails',
  description:
    'Creates the failed work again as one task, and nothing else: only the package, and only through groups that are ' +
    'activated already. A computer that no longer gets the package is skipped. At most the 5,000 latest failures are ' +
    'retried; repeat the request for more.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: {
    computers: ({ params, body }) => failingComputers(params.id, body),
    // Two people who retry the same package follow each other: the second one finds nothing that fails.
    lock: (db, { params }) => lockTextForTransaction(db, `retry ${params.id.toLowerCase()}`),
  },
  removals: 'Published',
  content: ({ params }) => createdContentOf(params.id),
  params: PackagePath,
  body: PackageRetryRequest,
  returns: ok(PackageRetry),
  problems: [packageNotFound],
  async handle({ params: { id }, body, db, caller, countRemovals }) {
    await requirePackage(db, id)
    const { rows } = await failingComputers(id, body).execute(db)
    const computerIds = rows.map(({ computer_id }) => computer_id)
    if (computerIds.length === 0) return { packageId: id, computerCount: 0, trackingId: null }
    return {
      packageId: id,
      ...(await retryOn(db, computerIds, { packageId: id, createdBy: caller.principal }, countRemovals)),
    }
  },
})

async function retryOn(
  db: Database,
  computerIds: readonly number[],
  task: { packageId: string; createdBy: Creator },
  countRemovals: CountRemovals,
) {
  const scope = activatedScope(computerIds)
  await pinScopeGroups(db, scope)
  const { computerCount, trackingId } = await activate(db, {
    scope,
    software: true,
    pxe: false,
    pull: false,
    wakeAt: null,
    srl: null,
    task: { kind: 'Activation', ...task },
    limit: { countRemovals },
    only: isForPackage(task.packageId),
  })
  return { computerCount, trackingId }
}

/** These computers, with the groups through which their software is activated. */
function activatedScope(computerIds: readonly number[]): ActivationScope {
  return {
    computers: sql<{ owner_id: number }>`select unnest(${computerIds}::integer[]) as owner_id`,
    memberships: sql`
      select activated.computer_id, activated.group_id from activations activated
      where activated.software and activated.computer_id = any(${computerIds}::integer[])`,
    isGlobal: true,
    groupId: null,
  }
}
