import { operation } from '../../../platform/operation.ts'
import { affectsUnfinished } from '../affected-computers.ts'
import { rolloutNotFound, rolloutNotPaused } from '../problems.ts'
import { contentOfWave, removalsOfWave, requireApprovedRemovals } from '../removals-of-wave.ts'
import { resume } from '../resume.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { RolloutPath } from './schemas.ts'

export const resumeRollout = operation({
  id: 'resumeRollout',
  route: 'POST /api/rollouts/:id/resume',
  summary: 'Resume a paused rollout',
  description:
    'Only failures, silent agents and failed starts from now on can pause it again. A wave that waits because of what it ' +
    'removes is resumed once a second principal has approved the request.',
  role: 'activation.execute',
  massAction: affectsUnfinished,
  removals: 'Published',
  content: ({ params }) => contentOfWave(params.id),
  params: RolloutPath,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutNotPaused],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, db, approvedComputerIds, countRemovals }) {
    const rollout = await lockRollout(db, id)
    if (rollout.state !== 'Paused') throw rolloutNotPaused({ rolloutId: id })
    await requireApprovedRemovals(db, rollout, approvedComputerIds !== undefined)
    if (rollout.isWave) await countRemovals(removalsOfWave(id))
    await resume(db, rollout)
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})
