import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, type Static, Type } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { QueueEntry, QueueNameSchema } from './schemas.ts'

type Entry = Static<typeof QueueEntry>

/** A subquery for `from`: unfinished jobs of the service, and unfinished synchronisations of depots. */
const unfinishedJobs = sql<Entry>`(
  select id, queue, subject, status, progress, requested_at as "createdAtUtc", started_at as "startedAtUtc"
  from background_jobs where status in ('Pending', 'Running')
  union all
  select job.id, 'depot-sync', concat_ws('.', depot.name, nullif(depot.domain, '')), job.status, null,
    job.requested_at, job.started_at
  from sync_jobs job join computers depot on depot.id = job.computer_id where job.status in ('Pending', 'Running'))`

export const listQueueEntries = operation({
  id: 'listQueueEntries',
  route: 'GET /api/queues',
  summary: 'List the background jobs that are pending or running',
  description:
    'Finished jobs are not listed. The jobs of the queue `depot-sync` are run by depots, all others by the service.',
  role: 'computer.read',
  query: closed({
    ...paging,
    queue: Type.Optional({
      ...QueueNameSchema,
      description: 'Only jobs of this queue. `queueName` and `name` are aliases.',
    }),
    queueName: Type.Optional(QueueNameSchema),
    name: Type.Optional(QueueNameSchema),
  }),
  returns: ok(pagedResultOf(QueueEntry)),
  handle(call) {
    const { queue, queueName, name } = call.query
    const [selected, other] = new Set([queue, queueName, name].filter((given) => given !== undefined))
    if (other) throw invalidPart('query', 'queue', `contradicts the other parameter, which names ${other}`)
    let entries = call.db.selectFrom(unfinishedJobs.as('unfinished_job')).selectAll()
    if (selected) entries = entries.where('queue', '=', selected)
    return pageOf(call, entries, { columns: ['id'], descending: true })
  },
})
