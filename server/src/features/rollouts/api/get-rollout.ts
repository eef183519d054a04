import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { IncludeTimeLine } from '../../deployments/api/tasks/time-line-schemas.ts'
import { readWorkTimeLine } from '../../deployments/time-line/read-time-line.ts'
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
    'of the last evaluation, a few seconds ago. With `include=timeLine`, the answer also has the progress over time and ' +
    'the failures by their cause.',
  role: 'computer.read',
  params: RolloutPath,
  query: closed({ include: IncludeTimeLine }),
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
    'pausedTimes',
    'next',
    'evaluatedAtUtc',
    'endedAtUtc',
    'catchUpUntilUtc',
    'rings',
    'timeLine',
  ],
  async handle({ params, query, db }) {
    const rollout = toRolloutAnswer(await getRolloutRecord(db, params.id))
    return query.include ? { ...rollout, timeLine: await readWorkTimeLine(db, tasksOf(params.id)) } : rollout
  },
})

/** Each release of computers is a task. */
const tasksOf = (rolloutId: string) => sql<{ id: string }>`select id from tasks where rollout_id = ${rolloutId}`
