import { Int32, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { data, name } from '../data-schemas.ts'
import { eventType } from '../event-type.ts'

const rollout = { rolloutId: Uuid, rolloutName: name('Example Editor 4.2') }
const AnyObject = (description: string, example: object) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, examples: [example], description })

const summaries = {
  created: 'A rollout was created',
  resumed: 'A paused rollout was resumed',
  paused: 'A rollout was paused, by a person or by its own criteria',
  'catching-up': 'The last ring of a rollout is done; late computers may still follow',
  completed: 'A rollout was completed',
  cancelled: 'A rollout was cancelled',
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
        pause: nullable(AnyObject('Why the rollout is paused', { code: 'TooManyFailures' })),
      }),
    }),
  ),
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
        counts: AnyObject('Computers by state', { Succeeded: 12, Failed: 1 }),
      }),
    }),
  ),
] as const
