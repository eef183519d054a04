import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { parseUserDeadline } from '../../distribution/user-deadline.ts'
import { ringBegun, rolloutEnded, rolloutNotFound } from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord, lockRollout, type Rollout } from '../rollout-record.ts'
import { getRollout } from './get-rollout.ts'
import { UpdateRolloutRequest } from './request-schemas.ts'
import { RolloutPath } from './schemas.ts'

export const updateRollout = operation({
  id: 'updateRollout',
  route: 'PATCH /api/rollouts/:id',
  summary: 'Rename a rollout or change its criteria, its user deadline and the windows of rings that wait',
  description:
    'A property that is missing keeps its value. Null removes the deadline for people, and the assignment then decides again. It also ' +
    'switches a limit of `criteria` off; the other properties keep their value. Answers 409 for a ring that has begun.',
  role: 'activation.execute',
  params: RolloutPath,
  body: UpdateRolloutRequest,
  returns: getRollout.returns,
  problems: [rolloutNotFound, rolloutEnded, ringBegun],
  changes: getRollout,
  extension: true,
  async handle({ params: { id }, body, db }) {
    const rollout = await lockRollout(db, id)
    if (rollout.state === 'Completed' || rollout.state === 'Cancelled') throw rolloutEnded({ rolloutId: id })
    for (const ring of body.rings ?? []) await updateRing(db, rollout, ring)
    const criteria = { ...rollout.criteria, ...body.criteria }
    const userDeadline = body.userDeadline === undefined ? rollout.userDeadline : parseUserDeadline(body.userDeadline)
    await sql`
      update rollouts set name = ${body.name ?? rollout.name}, criteria = ${JSON.stringify(criteria)}::jsonb,
        user_deadline = ${userDeadline && JSON.stringify(userDeadline)}::jsonb, version = version + 1
      where id = ${id}`.execute(db)
    return toRolloutAnswer(await getRolloutRecord(db, id))
  },
})

type RingPatch = NonNullable<Static<typeof UpdateRolloutRequest>['rings']>[number]

async function updateRing(db: Database, rollout: Rollout, { ring, windows, releaseMinutes }: RingPatch): Promise<void> {
  const current = rollout.rings.find((candidate) => candidate.ring === ring)
  if (!current) throw invalidPart('body', 'rings', `must name rings of the rollout; it has no ring ${ring}`)
  if (current.state !== 'Waiting') throw ringBegun({ rolloutId: rollout.id, ring })
  await sql`
    update rollout_rings set windows = ${JSON.stringify(windows ?? current.windows)}::jsonb,
      release_minutes = ${releaseMinutes ?? current.releaseMinutes}
    where rollout_id = ${rollout.id} and ring = ${ring}`.execute(db)
}
