import { sql } from 'kysely'
import { operation } from '../../../platform/operation.ts'
import { affectsFailed } from '../affected-computers.ts'
import { recordCounts } from '../evaluate.ts'
import { nothingFailed, rolloutEnded, rolloutNotFound } from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { RolloutPath } from './schemas.ts'

export const retryRollout = operation({
  id: 'retryRollout',
  route: 'POST /api/rollouts/:id/retry',
  summary: 'Retry what has failed in a rollout',
  description:
    'Creates the failed work of all failed computers again, and nothing else. A paused rollout does so once it is resumed.',
  role: 'activation.execute',
  massAction: affectsFailed,
  params: RolloutPath,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutEnded, nothingFailed],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, db }) {
    const rollout = await lockRollout(db, id)
    if (rollout.state === 'Completed' || rollout.state === 'Cancelled') throw rolloutEnded({ rolloutId: id })
    const { numAffectedRows = 0n } = await sql`
      with failed as materialized (
        select computer_id from rollout_computers where rollout_id = ${id} and state = 'Failed'
        order by computer_id for no key update
      )
      update rollout_computers set state = 'RetryRequested'
      from failed where rollout_computers.rollout_id = ${id} and rollout_computers.computer_id = failed.computer_id`.execute(
      db,
    )
    if (numAffectedRows === 0n) throw nothingFailed({ rolloutId: id })
    await sql`update rollouts set version = version + 1 where id = ${id}`.execute(db)
    await recordCounts(db, rollout)
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})
