import { sql } from 'kysely'
import { lockAgent } from '../../features/agents/lock-agent.ts'
import { latestPostponement, remainingPostponements } from '../../features/deployments/postponement.ts'
import { delayReasons, recordWorkChoices } from '../../features/deployments/work-choices.ts'
import type { StoredUserDeadline } from '../../features/distribution/user-deadline.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, enumOf, Instant, Type } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { notPostponable, workNotLeased } from './problems.ts'
import { Attempt, WorkChoices, WorkPath } from './schemas.ts'

export const postponeWork = operation({
  id: 'postponeWork',
  route: 'POST /agent/v1/work/:workId/postponement',
  summary: 'Postpone a work item for the user',
  description:
    'Ends the lease; the work item becomes due again at the given time. Answers 409 when the user may not postpone it any more, or not for that long. Work with a deadline may also wait for another reason, which does not count as a postponement and never lasts longer than the deadline.',
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
      reason: Type.Optional(
        enumOf(['User', ...delayReasons], {
          description: 'Why. Default: User. Only work with a deadline may have another reason',
        }),
      ),
      workChoices: WorkChoices,
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
  async handle({ params: { workId }, body, db, machine: { clientId } }) {
    const { attempt, untilUtc, reason = 'User' } = body
    const now = new Date()
    if (untilUtc <= now) throw invalidPart('body', 'untilUtc', 'must be in the future')
    await lockAgent(db, clientId)
    const item = await db
      .selectFrom('work')
      .leftJoin('rollouts', 'rollouts.id', 'work.rollout_id')
      .select(['commands', 'revoke_count', 'revoke_date', 'postponements', 'first_leased_at'])
      .select(sql<StoredUserDeadline | null>`coalesce(rollouts.user_deadline, work.user_deadline)`.as('user_deadline'))
      .where('work.id', '=', workId)
      .where('work.computer_id', '=', clientId)
      .where('work.state', '=', 'Leased')
      .where('attempt', '=', attempt)
      .forUpdate('work')
      .executeTakeFirst()
    if (!item) throw workNotLeased({ workId })
    const isChosen = reason === 'User'
    const remaining = remainingPostponements(item, now)
    const latest = latestPostponement(item, now)
    const mayWait = isChosen ? remaining > 0 : item.user_deadline !== null
    if (!mayWait || (latest && untilUtc > latest)) throw notPostponable({ workId, remaining, untilUtc: latest })
    await db
      .updateTable('work')
      .set({
        state: 'Due',
        not_before: untilUtc,
        delayed_by: reason,
        leased_until: null,
        run_id: null,
        progress: null,
        ...(isChosen ? { postponements: sql`postponements + 1` } : { delays: sql`delays + 1` }),
      })
      .where('id', '=', workId)
      .execute()
    await recordWorkChoices(db, clientId, [{ workId, workChoices: body.workChoices }])
    return { remaining: isChosen ? remaining - 1 : remaining }
  },
})
