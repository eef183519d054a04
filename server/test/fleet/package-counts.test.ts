import { expect, test } from 'vitest'
import { listFleetPackages } from '../../src/features/fleet/api/list-fleet-packages.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')

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
  const count = (status: string) => states.filter((state) => countedAs(state) === status).length
  const expected = { success: count('success'), failed: count('failed'), pending: count('pending') }
  expect(Math.min(...Object.values(expected))).toBeGreaterThan(0)
  expect(countsOf(all)).toEqual(expected)
  expect(countsOf(one)).toEqual({ success: 0, failed: 1, pending: 0 })
  expect(countsOf(none)).toEqual({ success: 0, failed: 0, pending: 0 })
})
