import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agents, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { db, post, computerOf } = await openFusionWorld()

async function boundDevice(name: string) {
  const headers = agents.fusionInventory
  await post(fromComputer(samples.fusionInventory, name), { headers })
  return {
    deviceId: `${name}-2026-11-15-01-02-03`,
    contact: () =>
      post(fromComputer(samples.prolog, name), { headers: { 'user-agent': 'FusionInventory-Agent_v2.7' } }),
  }
}

test('a contact of a device whose computer is locked succeeds at once', async () => {
  const { deviceId, contact } = await boundDevice('changing')
  const { id } = await computerOf(deviceId)

  const answer = await db.transaction().execute(async (transaction) => {
    for (const table of ['computers', 'agents', 'computer_contacts'])
      await sql`select from ${sql.table(table)} where ${sql.ref(table === 'computers' ? 'id' : 'computer_id')} = ${id} for update`.execute(
        transaction,
      )
    return contact()
  })

  expect(answer.status).toBe(200)
})

test('a contact with news of a device that is locked is answered with 503 and a time to come back', async () => {
  const { deviceId, contact } = await boundDevice('locked')

  const answer = await db.transaction().execute(async (transaction) => {
    await sql`select from fusion_devices where device_id = ${deviceId} for update`.execute(transaction)
    return contact()
  })

  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect((await contact()).status).toBe(200)
})

test('a contact of a device that is locked for a moment succeeds', async () => {
  const { deviceId, contact } = await boundDevice('busy')

  const answer = await db.transaction().execute(async (transaction) => {
    await sql`select from fusion_devices where device_id = ${deviceId} for update`.execute(transaction)
    const contacted = contact()
    await sql`select pg_sleep(0.2)`.execute(transaction)
    return { contacted }
  })

  expect((await answer.contacted).status).toBe(200)
})
