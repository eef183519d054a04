import { closed, enumOf, Id, Instant, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { RolloutSummary } from '../../../rollouts/api/schemas.ts'
import { timelineKinds, timelineStates } from '../../tasks/task-list.ts'
import { countSchema } from '../schemas.ts'

const name = (example: string, description: string) => nullable(Type.String({ examples: [example], description }))

export const TimelineEntry = closed(
  {
    id: { ...Uuid, description: 'Id of the rollout, or tracking id of the task' },
    kind: enumOf(timelineKinds, { title: 'TimelineKind' }),
    state: enumOf(timelineStates, { title: 'TimelineState' }),
    name: name('PDF viewer 24.2', 'Name of a rollout; null for a task'),
    clientId: nullable(Id),
    hostname: name('pc-0017', 'The computer of the task'),
    groupId: nullable(Uuid),
    groupPath: name('Configuration/Berlin', 'Names of the group and of its ancestors'),
    packageId: nullable(Uuid),
    packageName: name('Greeting', 'Name of the package'),
    createdBy: name('client-5b1f0e2a9c', 'Name of the principal who requested it; null if the service did'),
    createdAtUtc: Instant,
    endedAtUtc: { ...nullable(Instant), description: 'Null while it is running or paused' },
    total: countSchema('Computers of a rollout, or work items of a task'),
    open: countSchema('Of these, without a result'),
    retrying: nullable(countSchema('Of the open computers of a rollout, failed and to be retried; null for a task')),
    succeeded: countSchema('Of these, successful'),
    failed: countSchema('Of these, failed for good'),
    cancelled: countSchema('Of these, cancelled'),
    nothingDue: countSchema('Computers of a rollout on which nothing was due'),
    pause: RolloutSummary.properties.pause,
    openRing: nullable(countSchema('The ring of a rollout that is open')),
    ringCount: nullable(countSchema('Rings of a rollout')),
  },
  { title: 'TimelineEntry' },
)
