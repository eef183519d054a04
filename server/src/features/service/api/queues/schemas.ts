import { queueNames } from '../../../../jobs/queues.ts'
import { closed, enumOf, Instant, nullable, Type, Uuid } from '../../../../platform/schema.ts'

export const QueueNameSchema = enumOf(queueNames, { title: 'QueueName' })

export const QueueEntry = closed(
  {
    id: Uuid,
    queue: Type.String({ examples: ['package-import'] }),
    subject: Type.String({ examples: ['apps/greeting'], description: 'What the job processes' }),
    status: enumOf(['Pending', 'Running']),
    progress: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        examples: [40],
        description: 'Percentage; null if it is unknown, for example before the job starts',
      }),
    ),
    createdAtUtc: Instant,
    startedAtUtc: nullable(Instant),
  },
  { title: 'QueueEntry' },
)
