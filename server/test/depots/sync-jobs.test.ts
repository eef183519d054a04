import { describe, expect, test } from 'vitest'
import { beginSync } from '../../src/channels/depot/begin-sync.ts'
import { endSync } from '../../src/channels/depot/end-sync.ts'
import { reportHeartbeat } from '../../src/channels/depot/report-heartbeat.ts'
import { listDepots } from '../../src/features/depots/api/list-depots.ts'
import { listSyncDepots } from '../../src/features/depots/api/synchronisation/list-sync-depots.ts'
import { listSyncJobs } from '../../src/features/depots/api/synchronisation/list-sync-jobs.ts'
import { triggerSyncJob } from '../../src/features/depots/api/synchronisation/trigger-sync-job.ts'
import { fingerprints } from '../world/tables.ts'
import { openDepotWorld } from './depot-world.ts'
import { givenTag } from './given-packages.ts'

const { as, backdateHeartbeat, db, depot: depotWithCredential, given } = await openDepotWorld()
const operator = as('activation.execute')
const reader = as('computer.read')
const depot = () => given.computer({ role: 'DepotServer' })

describe('a triggered synchronisation', () => {
  test('triggering creates a waiting job for each of the given depots', async () => {
    const [one, two] = [await depot(), await depot()]
    await depot()

    const triggered = await operator.call(triggerSyncJob, { body: { depotClientIds: [two.id, one.id] } })

    expect(triggered.status).toBe(202)
    expect(triggered.body.jobs).toMatchObject([
      { clientId: one.id, hostname: one.name, status: 'Pending', trigger: 'Manual', lastRunUtc: null, result: null },
      { clientId: two.id, hostname: two.name, status: 'Pending', trigger: 'Manual' },
    ])
    const listed = await reader.call(listSyncJobs)
    expect(listed.body.items.slice(0, 2).map(({ clientId }) => clientId)).toEqual([two.id, one.id])
  })

  test('triggering a depot with a waiting job creates no second job', async () => {
    const { id } = await depot()
    const trigger = () => operator.call(triggerSyncJob, { body: { depotClientIds: [id] } })

    const answers = await Promise.all([trigger(), trigger(), trigger()])

    expect(new Set(answers.map(({ body }) => body.jobs[0]?.id)).size).toBe(1)
  })

  test.each([undefined, {}, { depotClientIds: null }])('the body %j triggers all depots', async (payload) => {
    await depot()
    const depots = (await reader.call(listSyncDepots, { query: { top: 1000 } })).body.items

    const triggered = await operator.send({ method: 'POST', url: '/api/system/sync-jobs', ...(payload && { payload }) })

    expect(triggered.status).toBe(202)
    expect((triggered.raw as { jobs: { clientId: number }[] }).jobs.map(({ clientId }) => clientId)).toEqual(
      depots.map(({ clientId }) => clientId),
    )
  })
})

describe('a refused trigger', () => {
  const attempt = async (depotClientIds: number[]) => {
    const before = await fingerprints(db)
    const refused = await operator.call(triggerSyncJob, { body: { depotClientIds } })
    expect(await fingerprints(db)).toEqual(before)
    return refused
  }

  test('an empty list of depots is refused, because it does not mean all depots, and nothing changes', async () => {
    expect(await attempt([])).toMatchObject({ status: 400, raw: { errors: [{ name: 'depotClientIds' }] } })
  })

  test('a list with a computer that is not a depot server is refused as a whole, and nothing changes', async () => {
    const [known, client, master] = [
      await depot(),
      await given.computer(),
      await given.computer({ role: 'MasterServer' }),
    ]

    for (const { id } of [client, master, { id: 2_000_000 }])
      expect(await attempt([known.id, id])).toMatchObject({
        status: 400,
        raw: { errors: [{ name: 'depotClientIds.1' }] },
      })
  })
})

test('synchronisation jobs are listed newest first, page by page', async () => {
  const created = []
  for (let index = 0; index < 3; index++) {
    const { id } = await depot()
    created.unshift((await operator.call(triggerSyncJob, { body: { depotClientIds: [id] } })).body.jobs[0]?.id)
  }

  const first = await reader.call(listSyncJobs, { query: { top: 2 } })
  const [, next = ''] = /<(.*)>/.exec(first.headers.link ?? '') ?? []
  const second = await reader.send({ method: 'GET', url: next })

  expect(first.body.items.map(({ id }) => id)).toEqual(created.slice(0, 2))
  expect((second.raw as typeof first.body).items[0]?.id).toBe(created[2])
})

test('the list of depots shows the state of the heartbeat and the last job of each depot', async () => {
  const unknown = await depot()
  const [pending, online, offline] = [
    await depotWithCredential(),
    await depotWithCredential(),
    await depotWithCredential(),
  ]
  const body = { version: '0.1.0', nextSyncUtc: new Date(Date.now() + 540_000).toISOString() }
  for (const { itself } of [online, offline]) await itself.call(reportHeartbeat, { body })
  await backdateHeartbeat(online, 240)
  await backdateHeartbeat(offline, 360)
  const { jobId } = (await offline.itself.call(beginSync)).body
  const failure = {
    status: 'Failed' as const,
    message: 'failed',
    packages: 0,
    filesTransferred: 0,
    bytesTransferred: 0,
  }
  await offline.itself.call(endSync, { params: { id: jobId }, body: failure })
  await operator.call(triggerSyncJob, { body: { depotClientIds: [offline.id] } })

  const { items } = (await reader.call(listSyncDepots, { query: { top: 1000 } })).body

  const found = new Map(items.map((item) => [item.clientId, item]))
  for (const [heartbeat, { id }] of Object.entries({ unknown, pending, online, offline }))
    expect(found.get(id)).toMatchObject({ heartbeat })
  expect(found.get(online.id)).toMatchObject({ version: '0.1.0', lastStatus: null, lastRunUtc: null })
  expect(found.get(offline.id)).toMatchObject({ lastStatus: 'Failed', nextRunUtc: expect.any(String) })

  const tag = await givenTag(db)
  await db.insertInto('depot_tags').values({ computer_id: offline.id, tag_id: tag.id }).execute()
  const listed = new Map(
    (await reader.call(listDepots, { query: { top: 1000 } })).body.items.map((item) => [item.clientId, item]),
  )
  for (const [id, depot] of found) expect(listed.get(id)).toMatchObject(depot)
  expect(listed.get(unknown.id)).toMatchObject({
    hasCredential: false,
    isSyncWaiting: false,
    tags: [],
    lastResult: null,
  })
  expect(listed.get(offline.id)).toMatchObject({
    hasCredential: true,
    isSyncWaiting: true,
    lastResult: failure.message,
    tags: [{ id: tag.id, designation: tag.designation }],
  })
})
