import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { searchFleet } from '../../../src/features/fleet/api/find/search-fleet.ts'
import { getComputerFacets } from '../../../src/features/fleet/api/get-computer-facets.ts'
import { listFleetComputers } from '../../../src/features/fleet/api/list-fleet-computers.ts'
import { setGroupRule } from '../../../src/features/groups/api/set-group-rule.ts'
import { readCatalogDocument } from '../../../src/features/patches/catalog/read-catalog-document.ts'
import { writeDocuments } from '../../../src/features/patches/catalog/write-documents.ts'
import { openWorld } from '../../world/open-world.ts'
import { recordPlans } from './recorded-plans.ts'
import { addComputers, freezeStatisticsOfPilot } from './stale-fleet.ts'

const { db, database, as, given } = await openWorld({ hasOwnDatabase: true })
const plans = recordPlans(database)

beforeAll(() => freezeStatisticsOfPilot(db))

test('the import of a catalog looks at each of its rows a few times, not once for each patch', async () => {
  const count = 1_000
  const patches = Array.from({ length: count }, (_, at) => ({ key: `KB${at}`, products: [{ name: 'Example Office' }] }))
  const catalog = { name: 'Example', version: '1', releasedUtc: '2026-03-11T00:00:00Z', patches }
  const document = readCatalogDocument({ format: 'muster-patch-catalog/1', ...catalog })
  plans.take()

  await database.lanes.background.db
    .transaction()
    .execute((transaction) => writeDocuments(transaction, [{ ...document, hash: Buffer.alloc(32) }]))

  const taken = plans.take()
  expect(Math.max(...taken.map(({ rowsOfNode }) => rowsOfNode))).toBeGreaterThanOrEqual(count)
  expect(taken.filter(({ rowsOfNode }) => rowsOfNode > 5 * count)).toEqual([])
})

test('the list of the members of a group looks at each computer a few times, although statistics say that there are none', async () => {
  await addComputers(db, { from: 2_001, to: 4_000 })
  await sql`
    update pg_class set reltuples = 0 where oid in ('group_computers'::regclass, 'computer_summaries'::regclass)`.execute(
    db,
  )
  const { id } = await given.root('ConfigurationGroups')
  const reader = as('computer.read')
  const query = { groupId: [id] }
  plans.take()

  const { body } = await reader.call(listFleetComputers, { query })
  const counted = await reader.call(getComputerFacets, { query })

  expect(body.totalCount).toBeGreaterThan(2_000)
  expect(counted.body.computers).toBe(body.totalCount)
  expect(plans.take().filter(({ rowsOfNode }) => rowsOfNode > 5 * body.totalCount)).toEqual([])
})

test('setting a rule looks at each computer a few times, although statistics say that there are none', async () => {
  const { count } = await db
    .selectFrom('computers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await sql`
    update pg_class set reltuples = 0
    where oid in ('computers'::regclass, 'group_computers'::regclass, 'computer_summaries'::regclass)`.execute(db)
  const writer = as('group.write')
  for (const criteria of [
    { names: ['pc-2*'] },
    { domains: ['corp.*'], names: ['*9'] },
    { operatingSystems: ['unknown', ''] },
    { networks: ['192.0.2.0/24'] },
    { tags: ['site:*'] },
  ]) {
    const { id } = await given.group({ tree: 'AssignmentGroups' })
    plans.take()

    const set = await writer.call(setGroupRule, { params: { id }, body: { criteria } })

    expect(set.status).toBe(200)
    expect(plans.take().filter(({ rowsOfNode }) => rowsOfNode > 3 * count)).toEqual([])
  }
})

test('the first page of the whole fleet, or of one facet, is read without a copy of all computers that match', async () => {
  const reader = as('computer.read')
  plans.take()

  await reader.call(listFleetComputers, { query: { sort: 'hostname', top: 10 } })
  await reader.call(listFleetComputers, { query: { healthStatus: ['Warning'] } })

  const lists = plans.take().filter(({ statement }) => statement.includes('with matching as'))
  expect(lists).toHaveLength(2)
  expect(lists.filter(({ statement }) => !statement.includes('as not materialized'))).toEqual([])
})

test('the search over everything reads a few rows of each table, although statistics say that there are none', async () => {
  await sql`
    update pg_class set reltuples = 0
    where oid in ('computers'::regclass, 'computer_summaries'::regclass, 'agents'::regclass, 'bios_records'::regclass)`.execute(
    db,
  )
  const reader = as('computer.read', 'group.read', 'package.read', 'pm.read')
  for (const search of ['pc-3999', 'pc-', 'nothing has it', '02:00:00:00']) {
    plans.take()

    await reader.call(searchFleet, { query: { search } })

    const taken = plans.take().filter(({ statement }) => statement.includes('candidates'))
    expect(taken).not.toEqual([])
    expect(
      taken.filter(({ rowsOfNode }) => rowsOfNode > 400),
      search,
    ).toEqual([])
  }
})
