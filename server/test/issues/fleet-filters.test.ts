import { expect, test } from 'vitest'
import { listIssueOverview } from '../../src/features/issues/api/list-issue-overview.ts'
import { listSharedPackageFailures } from '../../src/features/issues/api/list-shared-package-failures.ts'
import { listStaleAgentComputers } from '../../src/features/issues/api/list-stale-agent-computers.ts'
import { listStaleInventoryComputers } from '../../src/features/issues/api/list-stale-inventory-computers.ts'
import { listPatchStatusDevices } from '../../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const { as, given } = await openIssuesWorld()
const reader = as('computer.read')

/** A new domain, as a filter that computers of other tests do not pass. */
const ownDomain = () => `${crypto.randomUUID()}.example.org`
const day = 24

test('the fleet filters narrow a sweep; a group means all below it, and an unknown one is refused', async () => {
  const domain = ownDomain()
  const group = await given.group()
  const child = await given.group({ parent: group })
  const [direct, below] = [
    await given.computer({ domain, lastSeen: since(30 * day) }),
    await given.computer({ domain }),
  ]
  await given.member(group, direct)
  await given.member(child, below)

  const found = async (query: object) => {
    const { body } = await reader.call(listStaleInventoryComputers, { query: { domain, minDaysStale: 0, ...query } })
    return body.items.map(({ id }) => id)
  }

  expect(await found({ domain: domain.toUpperCase() })).toEqual([direct.id, below.id])
  expect(await found({ domain: domain.slice(1) })).toEqual([])
  expect(await found({ hostnameContains: direct.name.toUpperCase().slice(1) })).toEqual([direct.id])
  expect(await found({ hostnameContains: '%' })).toEqual([])
  expect(await found({ groupId: group.id })).toEqual([direct.id, below.id])
  expect(await found({ groupId: child.id })).toEqual([below.id])
  expect(await found({ lastSeenWithinDays: 29 })).toEqual([])
  expect(await found({ lastSeenWithinDays: 31 })).toEqual([direct.id])
  expect(await found({ lastSeenWithinDays: 2 ** 31 - 1 })).toEqual([direct.id])
  expect(await found({ IsEmpty: true })).toEqual([direct.id, below.id])
})

const readsOfGroups: AnyOperation[] = [
  listStaleAgentComputers,
  listIssueOverview,
  listSharedPackageFailures,
  listPatchStatusDevices,
]

test.each(readsOfGroups)(
  '$id refuses a group that does not exist, because no issues would be an all-clear',
  async (operation) => {
    const refused = await reader.call(operation, { query: { groupId: crypto.randomUUID() } })
    expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  },
)
