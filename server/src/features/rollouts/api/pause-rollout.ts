import { sql } from 'kysely'
import { operation } from '../../../platform/operation.ts'
import type { ManualPause } from '../pause.ts'
import { rolloutEnded, rolloutNotFound, rolloutPaused } from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { PauseRolloutRequest } from './request-schemas.ts'
import { RolloutPath } from './schemas.ts'

export const pauseRollout = operation({
  id: 'pauseRollout',
  route: 'POST /api/rollouts/:id/pause',
  summary: 'Pause a rollout',
  description:
    'No further computers are released, and agents get no more of its work from their next contact on. Work that has ' +
    'started continues and reports its result.',
  role: 'activation.execute',
  params: RolloutPath,
  body: PauseRolloutRequest,
  bodyOptional: true,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutEnded, rolloutPaused],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, body, db, caller }) {
    const { state } = await lockRollout(db, id)
    if (state === 'Paused') throw rolloutPaused({ rolloutId: id })
    if (state === 'Completed' || state === 'Cancelled') throw rolloutEnded({ rolloutId: id })
    const pause: ManualPause = {
      code: 'ByPrincipal',
      by: caller.principal.name,
      reason: body?.reason ?? null,
      atUtc: new Date().toISOString(),
    }
    await sql`
      update rollouts set state = 'Paused', pause = ${JSON.stringify(pause)}::jsonb, version = version + 1 where id = ${id}`.execute(
      db,
    )
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})
