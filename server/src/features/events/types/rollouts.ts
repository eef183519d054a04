import { Int32, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { changes, data, name } from '../data-schemas.ts'
import { pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const rollout = { rolloutId: Uuid, rolloutName: name('Example Editor 4.2') }
const AnyObject = (description: string, example: object) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [example], description })

const rolloutSource = {
  table: 'rollouts',
  forEach: 'row',
  subject: pathOf('getRollout', 'id'),
  data: {
    rolloutId: 'id',
    rolloutName: 'name',
    state: 'state',
    groupId: 'group_id',
    packageId: 'package_id',
    pause: 'pause',
  },
} as const

const becomes = (state: string) =>
  source({
    ...rolloutSource,
    on: 'update',
    when: `row.state = '${state}'`,
    whenChanged: ['state'],
  })

/** What a person has changed. The service itself changes neither. */
const changedRollout = source({
  table: 'rollouts',
  on: 'update',
  forEach: 'row',
  whenChanged: ['name', 'criteria', 'user_deadline'],
  subject: pathOf('getRollout', 'id'),
  data: {
    rolloutId: 'id',
    rolloutName: 'name',
    changes: { changesOf: { name: 'name', criteria: 'criteria', userDeadline: 'user_deadline' } },
  },
})

const ringBecomes = (state: string) =>
  source({
    table: 'rollout_rings',
    on: 'update',
    forEach: 'row',
    when: `row.state = '${state}'`,
    whenChanged: ['state'],
    join: { rollouts: 'rollout_id' },
    subject: pathOf('getRollout', 'rollout_id'),
    data: { rolloutId: 'rollout_id', rolloutName: 'rollouts.name', ring: 'ring', ringName: 'name', counts: 'counts' },
  })

const summaries = {
  created: 'A rollout was created',
  resumed: 'A paused rollout was resumed',
  paused: 'A rollout was paused, by a person or by its own criteria',
  'catching-up': 'The last ring of a rollout is done; late computers may still follow',
  completed: 'A rollout was completed',
  cancelled: 'A rollout was cancelled',
} as const

const sources = {
  created: source({ ...rolloutSource, on: 'insert' }),
  resumed: becomes('Running'),
  paused: becomes('Paused'),
  'catching-up': becomes('CatchingUp'),
  completed: becomes('Completed'),
  cancelled: becomes('Cancelled'),
} as const

const titleOf = (action: string) =>
  `Rollout${action.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`

export const rolloutEvents = [
  ...Object.entries(summaries).map(([action, summary]) =>
    eventType({
      type: `muster.rollout.${action as keyof typeof summaries}`,
      summary,
      role: 'computer.read',
      subject: 'The rollout',
      data: data(titleOf(action), {
        ...rollout,
        state: name('Paused'),
        groupId: Uuid,
        packageId: nullable(Uuid),
        pause: nullable(
          AnyObject('Why the rollout is paused', { code: 'Failures', ring: 1, computers: 7, retried: 3, limit: 5 }),
        ),
      }),
      sources: [sources[action as keyof typeof sources]],
    }),
  ),
  eventType({
    type: 'muster.rollout.changed',
    summary: 'The name, the criteria or the user deadline of a rollout was changed',
    role: 'computer.read',
    subject: 'The rollout',
    data: data('RolloutChanged', { ...rollout, changes }),
    sources: [changedRollout],
  }),
  ...(['ring-opened', 'ring-done'] as const).map((action) =>
    eventType({
      type: `muster.rollout.${action}`,
      summary: action === 'ring-done' ? 'A ring of a rollout is done' : 'A ring of a rollout was opened',
      role: 'computer.read',
      subject: 'The rollout',
      data: data(titleOf(action), {
        ...rollout,
        ring: { ...Int32, examples: [1], description: 'Number of the ring' },
        ringName: name('Pilots'),
        counts: AnyObject('Computers by state, as in getRollout', {
          succeeded: 12,
          failed: 1,
          retrying: 2,
          nothingDue: 0,
        }),
      }),
      sources: [ringBecomes(action === 'ring-done' ? 'Done' : 'Open')],
    }),
  ),
] as const
