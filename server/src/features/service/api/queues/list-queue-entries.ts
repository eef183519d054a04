import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, type Static, Type } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { QueueEntry, QueueName } from './schemas.ts'

type Entry = Static<typeof QueueEntry>

/** The jobs of the service itself, and those that depots carry out. */
const unfinished = sql<Entry>`(
  select id, queue, subject, status, progress, requested_at as "createdAtUtc", started_at as "startedAtUtc"
  from background_jobs where status in ('Pending', 'Running')
  union all
  select job.id, 'depot-sync', concat_ws('.', depot.name, nullif(depot.domain, '')), job.status, null,
    job.requested_at, job.started_at
  from sync_jobs job join computers depot on depot.id = job.computer_id where job.status in ('Pending', 'Running'))`

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
    let entries = call.db.selectFrom(unfinished.as('unfinished')).selectAll()
    if (wanted) entries = entries.where('queue', '=', wanted)
    return pageOf(call, entries, { columns: ['id'], descending: true })
  },
})
