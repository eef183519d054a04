import { sql } from 'kysely'
import { isRenewableLease, leaseSeconds, newLease } from '../../features/deployments/lease.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text } from '../../platform/schema.ts'
import { workNotHeld } from './problems.ts'
import { Attempt, LeaseSeconds, WorkPath } from './schemas.ts'

/** Smaller steps are not worth a row of the database. */
const smallestStep = 5

export const reportProgress = operation({
  id: 'reportProgress',
  route: 'POST /agent/v1/work/:workId/progress',
  summary: 'Say how far a piece of work is, and learn whether it was cancelled',
  role: 'machine',
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      percent: Type.Integer({ minimum: 0, maximum: 100, examples: [40] }),
      message: text(1000, 'Unpacking'),
    },
    { title: 'WorkProgress' },
  ),
  returns: ok(
    closed(
      { leaseSeconds: LeaseSeconds, cancelled: Type.Boolean({ examples: [false] }) },
      { title: 'WorkProgressAnswer' },
    ),
  ),
  problems: [workNotHeld],
  async handle({ params: { workId }, body: { attempt, percent }, db, machine: { clientId } }) {
    const held = await db
      .selectFrom('work')
      .select(['state', sql<boolean>`run_id is not null`.as('was_held')])
      .where('id', '=', workId)
      .where('computer_id', '=', clientId)
      .where('attempt', '=', attempt)
      .executeTakeFirst()
    if (held?.state === 'Cancelled' && held.was_held) return { leaseSeconds: 0, cancelled: true }
    if (held?.state !== 'Leased') throw workNotHeld({ workId })
    await db
      .updateTable('work')
      .set({ leased_until: newLease, progress: percent })
      .where('id', '=', workId)
      .where('state', '=', 'Leased')
      .where('attempt', '=', attempt)
      .where(
        sql<boolean>`(${isRenewableLease('leased_until')} or abs(coalesce(progress, 0) - ${percent}) >= ${smallestStep})`,
      )
      .execute()
    return { leaseSeconds, cancelled: false }
  },
})
