import { sql } from 'kysely'
import { operation } from '../../../platform/operation.ts'
import { affectsNextRing } from '../affected-computers.ts'
import { noRingToFinish, rolloutEnded, rolloutNotFound, waitsForApproval } from '../problems.ts'
import { resume } from '../resume.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { RolloutPath } from './schemas.ts'

export const advanceRollout = operation({
  id: 'advanceRollout',
  route: 'POST /api/rollouts/:id/advance',
  summary: 'Go on to the next ring now',
  description:
    'The open ring is done, whatever its results are: the rest of its computers and the next ring are released. A paused ' +
    'rollout is resumed by it.',
  role: 'activation.execute',
  massAction: affectsNextRing,
  params: RolloutPath,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutEnded, noRingToFinish, waitsForApproval],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, db }) {
    const rollout = await lockRollout(db, id)
    if (rollout.state === 'Completed' || rollout.state === 'Cancelled') throw rolloutEnded({ rolloutId: id })
    if (rollout.pause?.code === 'Removals') throw waitsForApproval({ rolloutId: id })
    const open = rollout.rings.find(({ state }) => state !== 'Done')
    if (!open) throw noRingToFinish({ rolloutId: id })
    await sql`
      update rollout_rings set state = 'Done', opened_at = coalesce(opened_at, now()), done_at = now()
      where rollout_id = ${id} and ring = ${open.ring}`.execute(db)
    await sql`
      update rollout_rings set state = 'Open', opened_at = now() where rollout_id = ${id} and ring = ${open.ring + 1}`.execute(
      db,
    )
    await resume(db, rollout)
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})
