import { ok, operation } from '../../../platform/operation.ts'
import { rolloutNotFound } from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRolloutRecord } from '../rollout-record.ts'
import { RolloutDetails, RolloutPath } from './schemas.ts'

export const getRollout = operation({
  id: 'getRollout',
  route: 'GET /api/rollouts/:id',
  summary: 'Get a rollout',
  description:
    'With its rings and the states of their computers, why it is paused, what happens next and when. Numbers are those ' +
    'of the last evaluation, a few seconds ago.',
  role: 'computer.read',
  params: RolloutPath,
  returns: ok(RolloutDetails),
  problems: [rolloutNotFound],
  extension: true,
  // Everything that changes by itself. `version` stands for what principals change.
  unversioned: [
    'state',
    'openRing',
    'computerCount',
    'releasedCount',
    'succeededCount',
    'failedCount',
    'pause',
    'next',
    'evaluatedAtUtc',
    'endedAtUtc',
    'catchUpUntilUtc',
    'rings',
  ],
  handle: async ({ params, db }) => toRolloutAnswer(await getRolloutRecord(db, params.id)),
})
