import { sql } from 'kysely'
import { lockAgent } from '../../features/agents/lock-agent.ts'
import { remainingPostponements } from '../../features/deployments/postponement.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Instant, Type } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { notPostponable, workNotLeased } from './problems.ts'
import { Attempt, WorkPath } from './schemas.ts'

export const postponeWork = operation({
  id: 'postponeWork',
  route: 'POST /agent/v1/work/:workId/postponement',
  summary: 'Postpone a work item for the user',
  description:
    'Ends the lease; the work item becomes due again at the given time. Answers 409 when the user may not postpone it any more, or not for that long.',
  role: 'machine',
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed(
    {
      attempt: Attempt,
      untilUtc: {
        ...Instant,
        examples: ['2099-12-31T00:00:00.000Z'],
        description: 'When to offer the work item again',
      },
    },
    { title: 'WorkPostponement' },
  ),
  returns: ok(
    closed(
      { remaining: Type.Integer({ examples: [2], description: 'How often the user may postpone it again' }) },
      { title: 'WorkPostponementAnswer' },
    ),
  ),
  problems: [workNotLeased, notPostponable],
  async handle({ params: { workId }, body: { attempt, untilUtc }, db, machine: { clientId } }) {
    const now = new Date()
    if (untilUtc <= now) throw invalidPart('body', 'untilUtc', 'must be in the future')
    await lockAgent(db, clientId)
    const item = await db
      .selectFrom('work')
      .select(['commands', 'revoke_count', 'revoke_date', 'postponements'])
      .where('id', '=', workId)
      .where('computer_id', '=', clientId)
      .where('state', '=', 'Leased')
      .where('attempt', '=', attempt)
      .forUpdate()
      .executeTakeFirst()
    if (!item) throw workNotLeased({ workId })
    const remaining = remainingPostponements(item, now)
    if (remaining === 0 || (item.revoke_date && untilUtc > item.revoke_date))
      throw notPostponable({ workId, remaining, untilUtc: item.revoke_date })
    await db
      .updateTable('work')
      .set({
        state: 'Due',
        not_before: untilUtc,
        delayed_by: 'User',
        leased_until: null,
        run_id: null,
        progress: null,
        postponements: sql`postponements + 1`,
      })
      .where('id', '=', workId)
      .execute()
    return { remaining: remaining - 1 }
  },
})
