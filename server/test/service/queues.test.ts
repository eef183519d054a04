import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { listQueueEntries } from '../../src/features/service/api/queues/list-queue-entries.ts'
import { listQueueNames } from '../../src/features/service/api/queues/list-queue-names.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { queueNames } from '../../src/jobs/queues.ts'
import { openWorld } from '../world/open-world.ts'

const world = await openWorld()
const { as, db } = world
const reader = as('computer.read')

beforeEach(async () => {
  await db.deleteFrom('background_jobs').execute()
})

const given = (queue: (typeof queueNames)[number], subject: string) => enqueue(db, { queue, subject, input: {} })

test('the queues of an idle service are empty', async () => {
  expect((await reader.call(listQueueEntries)).body).toMatchObject({ items: [], totalCount: 0, hasMore: false })
})

test('pending and running jobs are listed, newest first, and finished ones are not', async () => {
  const first = await given('package-import', 'first')
  const running = await given('package-hash', 'running')
  const over = await given('package-import', 'over')
  await db
    .updateTable('background_jobs')
    .set({ status: 'Running', progress: 40, started_at: new Date('2026-03-14T09:26:53Z') })
    .where('id', '=', running)
    .execute()
  await db
    .updateTable('background_jobs')
    .set({ status: 'Failed', finished_at: new Date() })
    .where('id', '=', over)
    .execute()

  const { items } = (await reader.call(listQueueEntries)).body

  expect(items).toMatchObject([
    { id: running, queue: 'package-hash', subject: 'running', status: 'Running', progress: 40 },
    { id: first, queue: 'package-import', status: 'Pending', progress: null, startedAtUtc: null },
  ])
  expect(items[0]?.startedAtUtc).toBe('2026-03-14T09:26:53.000Z')
})

test('synchronisations of depots are in their queue while they are pending or running', async () => {
  const names = ['waiting', 'running', 'over']
  const depots = []
  for (const name of names)
    depots.push(await world.given.computer({ name, domain: 'example.org', role: 'DepotServer' }))
  const [waiting = 0, running = 0, over = 0] = depots.map(({ id }) => id)
  const started = { trigger: 'Schedule', started_at: new Date('2026-03-14T09:26:53Z') }
  await db
    .insertInto('sync_jobs')
    .values([
      { computer_id: waiting, trigger: 'Manual' },
      { computer_id: running, status: 'Running', ...started },
      { computer_id: over, status: 'Success', ...started },
    ])
    .execute()
  await given('package-import', 'import')

  const all = await reader.call(listQueueEntries)
  const { items } = (await reader.call(listQueueEntries, { query: { queue: 'depot-sync' } })).body

  expect(all.body.totalCount).toBe(3)
  expect(items.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toMatchObject([
    { subject: 'waiting.example.org', status: 'Pending', progress: null, startedAtUtc: null },
    { subject: 'running.example.org', status: 'Running', startedAtUtc: '2026-03-14T09:26:53.000Z' },
  ])
  await db.deleteFrom('sync_jobs').execute()
})

test.each(['queue', 'queueName', 'name'])('the parameter %s selects one queue', async (parameter) => {
  await given('package-import', 'import')
  await given('package-hash', 'hash')

  const { items } = (await reader.call(listQueueEntries, { query: { [parameter]: 'package-hash' } })).body

  expect(items.map(({ subject }) => subject)).toEqual(['hash'])
})

test.each([{ queue: 'tea' }, { queueName: '' }, { name: 'package-hash', queue: 'package-import' }])(
  'the filter of queue entries %j is refused',
  async (query) => {
    expect(await reader.call(listQueueEntries, { query: query as object })).toMatchObject({ status: 400 })
  },
)

test('the list of queue names contains all queues', async () => {
  const { rows } = await sql<{ name: string }>`select name from pgboss.queue order by name`.execute(db)

  const names = (await reader.call(listQueueNames)).body

  expect(names).toEqual([...queueNames])
  expect(rows.map(({ name }) => name)).toEqual([...queueNames].sort())
})
