import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { activateGroup } from '../../../src/features/deployments/api/group-activation/activate-group.ts'
import { openWorld } from '../../world/open-world.ts'
import { addComputers, freezeStatisticsOfPilot, packageCount } from './stale-fleet.ts'

const { db, as, given } = await openWorld({ hasOwnDatabase: true })

/** Enough for several hundred pages of work. */
const computers = { from: 2_001, to: 2_500 }
const items = 500 * packageCount

beforeAll(() => freezeStatisticsOfPilot(db))

/** The number of rows that the planner expects in a table, as of its last analysis. */
async function expectedRows(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select reltuples as count from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]?.count ?? 0
}

test('an activation of many computers analyses the tables that it has filled', async () => {
  await addComputers(db, computers)
  const group = await given.root('ConfigurationGroups')
  expect(await expectedRows('work')).toBeLessThan(items / 10)

  const activated = await as('activation.execute').call(activateGroup, {
    params: { id: group.id },
    body: { software: true },
  })

  expect(activated.status).toBe(200)
  for (const table of ['work', 'deployments', 'distribution_events'])
    expect(await expectedRows(table)).toBeGreaterThanOrEqual(items)
  const { rows } = await sql`
    select from pg_stats where tablename = 'work' and attname = 'computer_id' and n_distinct between -1 and -0.01
      or tablename = 'work' and attname = 'computer_id' and n_distinct > 400`.execute(db)
  expect(rows).toHaveLength(1)
})
