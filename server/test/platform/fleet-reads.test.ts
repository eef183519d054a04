import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { listLowDiskComputers } from '../../src/features/issues/api/list-low-disk-computers.ts'
import { listSuspendedAgentComputers } from '../../src/features/issues/api/list-suspended-agent-computers.ts'
import { openWorld } from '../world/open-world.ts'

const {
  as,
  db,
  database: { lanes, pool },
} = await openWorld()
const reader = as('computer.read')

/** Connections that are in use for something else. */
async function givenOthers(count: number): Promise<void> {
  const others = await Promise.all(Array.from({ length: count }, () => lanes.writes.pool.connect()))
  onTestFinished(() => {
    for (const other of others) other.release()
  })
}

/** A fleet-wide read that runs until it is released. */
async function givenSweep() {
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table disk_drives')
  const sweep = reader.call(listLowDiskComputers, {})
  const isWaiting = async () => (await sql`select from pg_locks where not granted`.execute(db)).rows.length > 0
  while (!(await isWaiting()));
  return {
    sweep,
    async letGo() {
      await blocker.query('rollback')
      blocker.release()
    },
  }
}

test('fleet-wide reads run concurrently while the database is idle', async () => {
  const { sweep, letGo } = await givenSweep()

  const { status } = await reader.call(listSuspendedAgentComputers, {})
  await letGo()

  expect(status).toBe(200)
  expect((await sweep).status).toBe(200)
})

test('while the database is busy, fleet-wide reads wait for each other, and other requests do not wait for them', async () => {
  await givenOthers(4)
  const ended: string[] = []
  const { sweep: first, letGo } = await givenSweep()

  const second = reader.call(listSuspendedAgentComputers, {}).finally(() => ended.push('second sweep'))
  for (let at = 0; at < 5; at++) await reader.call(listComputers, {})
  ended.push('others')
  await letGo()
  await first.finally(() => ended.push('first sweep'))
  await second

  expect(ended).toEqual(['others', 'first sweep', 'second sweep'])
})
