import { sql } from 'kysely'
import { ok, operation } from '../../platform/operation.ts'
import { pageOf, paging } from '../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { QueueEntry, QueueName } from './schemas.ts'

export const listQueueEntries = operation({
  id: 'listQueueEntries',
  route: 'GET /api/queues',
  summary: 'List the background jobs that wait or run, newest first',
  description: 'An empty list means that there is nothing to do.',
  role: 'computer.read',
  query: closed({
    ...paging,
    queue: Type.Optional({ ...QueueName, description: 'Only this queue. `queueName` and `name` mean the same.' }),
    queueName: Type.Optional(QueueName),
    name: Type.Optional(QueueName),
  }),
  returns: ok(pagedResultOf(QueueEntry)),
  handle(call) {
    const { queue, queueName, name } = call.query
    const [wanted, other] = new Set([queue, queueName, name].filter((given) => given !== undefined))
    if (other) throw invalidPart('query', 'queue', `names another queue than ${other}`)
    let entries = call.db
      .selectFrom('background_jobs')
      .select([
        'id',
        'queue',
        'subject',
        sql<'Pending' | 'Running'>`status`.as('status'),
        'progress',
        'requested_at as createdAtUtc',
        'started_at as startedAtUtc',
      ])
      .where('status', 'in', ['Pending', 'Running'])
    if (wanted) entries = entries.where('queue', '=', wanted)
    return pageOf(call, entries, { columns: ['id'], descending: true })
  },
})
