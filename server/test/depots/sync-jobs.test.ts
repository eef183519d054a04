import { describe, expect, test } from 'vitest'
import { listSyncDepots } from '../../src/features/depots/api/synchronisation/list-sync-depots.ts'
import { listSyncJobs } from '../../src/features/depots/api/synchronisation/list-sync-jobs.ts'
import { triggerSyncJob } from '../../src/features/depots/api/synchronisation/trigger-sync-job.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const reader = as('computer.read')
const depot = () => given.computer({ role: 'DepotServer' })

describe('a triggered synchronisation', () => {
  test('waits for each depot that was named', async () => {
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

  test('is not doubled while it waits', async () => {
    const { id } = await depot()
    const trigger = () => operator.call(triggerSyncJob, { body: { depotClientIds: [id] } })

    const answers = await Promise.all([trigger(), trigger(), trigger()])

    expect(new Set(answers.map(({ body }) => body.jobs[0]?.id)).size).toBe(1)
  })

  test.each([undefined, {}, { depotClientIds: null }])('is for all depots with the body %j', async (payload) => {
    await depot()
    const depots = (await reader.call(listSyncDepots, { query: { top: 1000 } })).body.items

    const triggered = await operator.send({ method: 'POST', url: '/api/system/sync-jobs', ...(payload && { payload }) })

    expect(triggered.status).toBe(202)
    expect((triggered.raw as { jobs: { clientId: number }[] }).jobs.map(({ clientId }) => clientId)).toEqual(
      depots.map(({ clientId }) => clientId),
    )
  })
})

describe('refused, with nothing changed, is a synchronisation', () => {
  const attempt = async (depotClientIds: number[]) => {
    const before = await fingerprints(db)
    const refused = await operator.call(triggerSyncJob, { body: { depotClientIds } })
    expect(await fingerprints(db)).toEqual(before)
    return refused
  }

  test('of an empty list, which never means all', async () => {
    expect(await attempt([])).toMatchObject({ status: 400, raw: { errors: [{ name: 'depotClientIds' }] } })
  })

  test('of what is no depot server, even among others that are', async () => {
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

test('jobs are listed newest first, page by page', async () => {
  const made = []
  for (let index = 0; index < 3; index++) {
    const { id } = await depot()
    made.unshift((await operator.call(triggerSyncJob, { body: { depotClientIds: [id] } })).body.jobs[0]?.id)
  }

  const first = await reader.call(listSyncJobs, { query: { top: 2 } })
  const [, next = ''] = /<(.*)>/.exec(first.headers.link ?? '') ?? []
  const second = await reader.send({ method: 'GET', url: next })

  expect(first.body.items.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect((second.raw as typeof first.body).items[0]?.id).toBe(made[2])
})

test('the heartbeat of a depot tells whether it was heard of, and how long ago', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const depots = { unknown: await depot(), pending: await depot(), online: await depot(), offline: await depot() }
  const secret_hash = Buffer.alloc(32)
  await db
    .insertInto('depots')
    .values([
      { computer_id: depots.pending.id, secret_hash },
      { computer_id: depots.online.id, secret_hash, heartbeat_at: minutesAgo(4), version: '0.1.0' },
      { computer_id: depots.offline.id, secret_hash, heartbeat_at: minutesAgo(6), next_sync_at: minutesAgo(-9) },
    ])
    .execute()
  await db
    .insertInto('sync_jobs')
    .values([
      { computer_id: depots.offline.id, trigger: 'Schedule', status: 'Failed', started_at: minutesAgo(9) },
      { computer_id: depots.offline.id, trigger: 'Manual', status: 'Pending' },
    ])
    .execute()

  const { body } = await reader.call(listSyncDepots, { query: { top: 1000 } })

  const found = new Map(body.items.map((item) => [item.clientId, item]))
  for (const [heartbeat, { id }] of Object.entries(depots)) expect(found.get(id)).toMatchObject({ heartbeat })
  expect(found.get(depots.online.id)).toMatchObject({ version: '0.1.0', lastStatus: null, lastRunUtc: null })
  expect(found.get(depots.offline.id)).toMatchObject({ lastStatus: 'Failed', nextRunUtc: expect.any(String) })
})
