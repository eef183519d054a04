import { sql } from 'kysely'
import { operation } from '../../../platform/operation.ts'
import { rolloutEnded, rolloutNotFound } from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { RolloutPath } from './schemas.ts'

export const cancelRollout = operation({
  id: 'cancelRollout',
  route: 'POST /api/rollouts/:id/cancel',
  summary: 'Cancel a rollout',
  description:
    'No further computers are released, and agents get no more of its work. Waiting work is cancelled within seconds; ' +
    'work that an agent has started continues. What is installed stays installed.',
  role: 'activation.execute',
  params: RolloutPath,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutEnded],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, db }) {
    const { state } = await lockRollout(db, id)
    if (state === 'Completed' || state === 'Cancelled') throw rolloutEnded({ rolloutId: id })
    await sql`update rollouts set state = 'Cancelled', pause = null, version = version + 1 where id = ${id}`.execute(db)
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})
