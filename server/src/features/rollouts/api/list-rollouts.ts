import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, Uuid } from '../../../platform/schema.ts'
import { toSummary } from '../rollout-answer.ts'
import { listRolloutRecords } from '../rollout-record.ts'
import { RolloutStateName, RolloutSummary } from './schemas.ts'

export const listRollouts = operation({
  id: 'listRollouts',
  route: 'GET /api/rollouts',
  summary: 'List rollouts, newest first',
  description: 'Rollouts that have ended are deleted together with old tasks, by default after 30 days.',
  role: 'computer.read',
  query: closed({
    ...paging,
    state: Type.Optional({ ...RolloutStateName, description: 'Only rollouts in this state' }),
    groupId: Type.Optional({ ...Uuid, description: 'Only rollouts of this group' }),
    isWave: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Only waves that keep a group converged, or only other rollouts' }),
    ),
  }),
  returns: ok(pagedResultOf(RolloutSummary)),
  extension: true,
  async handle(call) {
    const { state, groupId, isWave } = call.query
    const keys = call.db
      .selectFrom('rollouts')
      .select(['created_at', 'id'])
      .$if(state !== undefined, (rollouts) => rollouts.where('state', '=', state ?? ''))
      .$if(groupId !== undefined, (rollouts) => rollouts.where('group_id', '=', groupId ?? ''))
      .$if(isWave !== undefined, (rollouts) => rollouts.where('is_wave', '=', isWave ?? false))
    const page = await pageOf(call, keys, { columns: ['created_at', 'id'], descending: true })
    const found = await listRolloutRecords(
      call.db,
      page.items.map(({ id }) => id),
    )
    const now = new Date()
    return { ...page, items: found.map((rollout) => toSummary(rollout, now)) }
  },
})
