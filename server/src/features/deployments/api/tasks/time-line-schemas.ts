import { closed, enumOf, Id, Instant, Int32, nullable, Type } from '../../../../platform/schema.ts'
import { maxPoints } from '../../time-line/read-time-line.ts'

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

const TimeLinePointSchema = closed(
  {
    fromUtc: { ...Instant, description: 'The beginning of the interval' },
    due: count('Work items that wait for their agents at the end of the interval'),
    leased: count('Work items that agents have'),
    succeeded: count('Successful work items'),
    failed: count('Permanently failed work items'),
    cancelled: count('Cancelled work items'),
  },
  { title: 'TimeLinePoint' },
)

const FailureExampleSchema = closed(
  {
    workId: Type.Integer({ minimum: 1, examples: [1042] }),
    clientId: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    output: Type.String({ examples: ['E: There is no space left on the device.'] }),
  },
  { title: 'FailureExample' },
)

const FailureGroupSchema = closed(
  {
    exitCode: { ...nullable(Int32), examples: [1603], description: 'Null if the agent reported none' },
    cause: Type.String({
      examples: ['e: no space left on device <path>'],
      description: 'The end of the output without what differs between computers, such as numbers and paths',
    }),
    failures: count('Recorded failures. A work item that is retried may fail several times.'),
    failed: count('Work items that failed permanently with this cause'),
    example: {
      ...nullable(FailureExampleSchema),
      description: 'The last work item that failed so; null if its computer was deleted',
    },
  },
  { title: 'FailureGroup' },
)

/** The progress of a set of work over time. Tasks and rollouts show it. */
export const WorkTimeLine = closed(
  {
    intervalMinutes: {
      ...Int32,
      minimum: 1,
      examples: [1],
      description: 'The time between two points: a minute, or more for a long task',
    },
    points: Type.Array(TimeLinePointSchema, {
      description: `One point for each interval from the first change to the last one, at most ${maxPoints}`,
    }),
    failureGroups: Type.Array(FailureGroupSchema, {
      description: 'Failures by exit code and cause, the most frequent first, at most 50',
    }),
  },
  { title: 'WorkTimeLine', description: 'Extension: only with `include=timeLine`.' },
)

export const IncludeTimeLine = Type.Optional({
  ...enumOf(['timeLine']),
  examples: ['timeLine'],
  description: 'Extension: `timeLine` adds the progress over time and the failures by their cause.',
})
