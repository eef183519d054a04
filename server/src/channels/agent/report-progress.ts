import { sql } from 'kysely'
import { isRenewableLease, leaseSeconds, newLease } from '../../features/deployments/lease.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { workNotLeased } from './problems.ts'
import { Attempt, LeaseSeconds, WorkPath } from './schemas.ts'

/** Smaller changes of the percentage are not written, which saves updates. */
const minStepPercent = 5

export const reportProgress = operation({
  id: 'reportProgress',
  route: 'POST /agent/v1/work/:workId/progress',
  summary: 'Report the progress of a work item',
  description:
    'Renews the lease. When the work item has been cancelled, the answer sets `cancelled` and the agent must stop. Answers 409 when the attempt is not leased to the agent.',
  role: 'machine',
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      percent: Type.Integer({ minimum: 0, maximum: 100, examples: [40], description: 'How much is done' }),
      message: text(1000, 'Unpacking', 'What the agent is doing, for people; not stored'),
    },
    { title: 'WorkProgress' },
  ),
  returns: ok(
    closed(
      {
        leaseSeconds: LeaseSeconds,
        cancelled: Type.Boolean({ examples: [false], description: 'The agent must stop' }),
      },
      { title: 'WorkProgressAnswer' },
    ),
  ),
  problems: [workNotLeased],
  async handle({ params: { workId }, body: { attempt, percent }, db, machine: { clientId } }) {
    const item = await db
      .selectFrom('work')
      .select(['state', sql<boolean>`run_id is not null`.as('was_leased')])
      .where('id', '=', workId)
      .where('computer_id', '=', clientId)
      .where('attempt', '=', attempt)
      .executeTakeFirst()
    if (item?.state === 'Cancelled' && item.was_leased) return { leaseSeconds: 0, cancelled: true }
    if (item?.state !== 'Leased') throw workNotLeased({ workId })
    await db
      .updateTable('work')
      .set({ leased_until: newLease, progress: percent })
      .where('id', '=', workId)
      .where('state', '=', 'Leased')
      .where('attempt', '=', attempt)
      .where(
        sql<boolean>`(${isRenewableLease('leased_until')} or abs(coalesce(progress, 0) - ${percent}) >= ${minStepPercent})`,
      )
      .execute()
    return { leaseSeconds, cancelled: false }
  },
})
