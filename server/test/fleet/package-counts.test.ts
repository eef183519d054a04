import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { maxDeploymentsToCount } from '../../src/features/deployments/package-counts.ts'
import { getPackagePage } from '../../src/features/fleet/api/get-package-page.ts'
import { listFleetPackages } from '../../src/features/fleet/api/list-fleet-packages.ts'
import { getFleetStatistics } from '../../src/features/issues/api/get-fleet-statistics.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read', 'computer.read')

const states = [null, 'Success', 'Failed'].flatMap((result) =>
  [null, new Date()].flatMap((pending_since) =>
    ['None', 'Installed', 'NotInstalled', 'Uninstalled'].map((installation_state) => ({
      ...{ result, pending_since, installation_state },
    })),
  ),
)

/** As the guide says it: what is installed without an assignment counts as a success, and what has no result otherwise waits. */
function countedAs({ result, pending_since, installation_state }: (typeof states)[number]): string {
  if (result === null && pending_since === null && installation_state === 'Installed') return 'success'
  return pending_since !== null || result === null ? 'pending' : result.toLowerCase()
}

test('the list of packages counts every state of a deployment, and those of each package only', async () => {
  const [all, one, none] = [await given.package(), await given.package(), await given.package()]
  for (const state of states) {
    const { id } = await given.computer()
    await db
      .insertInto('deployments')
      .values({ computer_id: id, package_id: all.id, ...state })
      .execute()
  }
  const { id } = await given.computer()
  await db.insertInto('deployments').values({ computer_id: id, package_id: one.id, result: 'Failed' }).execute()

  const { items } = (await reader.call(listFleetPackages, { query: { top: 1_000 } })).body

  const countsOf = (wanted: { id: string }) => items.find((item) => item.id === wanted.id)?.deployments
  expect(new Set(items.map(({ deploymentsCountedUtc }) => deploymentsCountedUtc))).toEqual(new Set([null]))
  const count = (status: string) => states.filter((state) => countedAs(state) === status).length
  const expected = { success: count('success'), failed: count('failed'), pending: count('pending') }
  expect(Math.min(...Object.values(expected))).toBeGreaterThan(0)
  expect(countsOf(all)).toEqual(expected)
  expect(countsOf(one)).toEqual({ success: 0, failed: 1, pending: 0 })
  expect(countsOf(none)).toEqual({ success: 0, failed: 0, pending: 0 })
})

/** Adds computers with a deployment in every state, one after the other. */
async function deploy({ id }: { id: string }, computers: number): Promise<void> {
  await sql`
    with added as (
      insert into computers (name, domain, is_domain, uuid)
      select 'many-' || n || '-' || ${id}, 'corp.example.org', true, gen_random_uuid() from generate_series(1, ${computers}::integer) n
      returning id
    ), numbered as (
      select id, row_number() over (order by id) as n from added
    ), state as (
      select *, count(*) over () as states
      from rows from (jsonb_to_recordset(${JSON.stringify(states)})
        as (result text, pending_since timestamptz, installation_state text)) with ordinality
        as known (result, pending_since, installation_state, position)
    )
    insert into deployments (computer_id, package_id, result, pending_since, installation_state)
    select numbered.id, ${id}, state.result, state.pending_since, state.installation_state
    from numbered join state on state.position = numbered.n % state.states + 1`.execute(db)
}

/** The counts of `deploy`. */
function countsOfMany(computers: number) {
  const counts = { success: 0, failed: 0, pending: 0 }
  for (let n = 1; n <= computers; n++) {
    const state = states[n % states.length]
    if (state) counts[countedAs(state) as keyof typeof counts]++
  }
  return counts
}

test('a package of many computers shows the counts of the last count of the fleet with their time, until it has fewer again', async () => {
  const line = { package_name: 'Many', kind: 'Software' }
  const [large, small] = [
    await given.package({ ...line, version: '1' }),
    await given.package({ ...line, version: '2' }),
  ]
  const [many, few] = [maxDeploymentsToCount + 1, maxDeploymentsToCount]
  await deploy(large, many)
  await deploy(small, few)
  const listed = async () => {
    const { items } = (await reader.call(listFleetPackages, { query: { top: 1_000 } })).body
    const shown = (wanted: { id: string }) => {
      const found = items.find(({ id }) => id === wanted.id)
      return { ...found?.deployments, at: found?.deploymentsCountedUtc }
    }
    return { large: shown(large), small: shown(small) }
  }
  const uncounted = await listed()

  await refreshFleetStatistics(db)

  const { calculatedAtUtc: at, counts } = (await reader.call(getFleetStatistics)).body
  const total = await db
    .selectFrom('deployments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(uncounted).toEqual({ large: { ...countsOfMany(many), at: null }, small: { ...countsOfMany(few), at: null } })
  expect(await listed()).toEqual({ large: { ...countsOfMany(many), at }, small: { ...countsOfMany(few), at: null } })
  expect(Object.values(counts?.deploymentStatus ?? {}).reduce((sum, count) => sum + count, 0)).toBe(total.count)

  // What changes afterwards is seen at once for the package of few computers, and on the page of the package itself.
  for (const { id } of [large, small]) await removeDeployments(id, 100)
  const pageOf = async ({ id }: { id: string }) => {
    const { versions } = (await reader.call(getPackagePage, { params: { id } })).body
    return Object.fromEntries(
      versions.map((version) => [version.version, [sumOf(version.deployments), version.deploymentsCountedUtc]]),
    )
  }
  const after = await listed()
  expect(after.large).toEqual({ ...countsOfMany(many), at })
  expect(sumOf(after.small)).toBe(few - 100)
  expect(await pageOf(large)).toEqual({ 1: [many - 100, null], 2: [few - 100, null] })
  expect(await pageOf(small)).toEqual({ 1: [many, at], 2: [few - 100, null] })

  await refreshFleetStatistics(db)
  const again = await listed()
  expect([sumOf(again.large), again.large.at]).toEqual([many - 100, null])
})

const sumOf = ({ success = 0, failed = 0, pending = 0 }: { success?: number; failed?: number; pending?: number }) =>
  success + failed + pending

async function removeDeployments(packageId: string, count: number): Promise<void> {
  await sql`
    delete from deployments where package_id = ${packageId} and computer_id in (
      select computer_id from deployments where package_id = ${packageId} order by computer_id limit ${count})`.execute(
    db,
  )
}
