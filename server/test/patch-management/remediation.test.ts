import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { assignPmGroup } from '../../src/features/patch-management/api/pm-groups/assign-pm-group.ts'
import { deletePmGroup } from '../../src/features/patch-management/api/pm-groups/delete-pm-group.ts'
import { removePmGroupAssignment } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-assignment.ts'
import { removePmGroupPatch } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-patch.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, fleet, scannablePatch, scheduleOnSaturdays, listOpenWork, listPatchIdsToFix } =
  await openPatchWorld()

/** A computer that lacks an approved patch of its PM group. */
async function givenLackingComputer() {
  const members = await fleet()
  const patch = await scannablePatch({ approved: true })
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, members.group)
  await given.patchScan(members.computer, [patch.missing])
  return { ...members, patch, pmGroup }
}

type Lacking = Awaited<ReturnType<typeof givenLackingComputer>>

/** No operation shows since when a deployment has been pending. */
async function findDeployment(computer: { id: number }) {
  return db
    .selectFrom('deployments')
    .select(['status', 'pending_since'])
    .where('computer_id', '=', computer.id)
    .executeTakeFirst()
}

test('a scan that finds an approved patch of a PM group missing makes the fix package due for exactly this patch', async () => {
  const { computer, group, fix } = await fleet()
  const [approved, unapproved, elsewhere, installed] = [
    await scannablePatch({ approved: true }),
    await scannablePatch(),
    await scannablePatch({ approved: true }),
    await scannablePatch({ approved: true }),
  ]
  await given.pmAssignment(await given.pmGroup({ patches: [approved, unapproved, installed] }), group)
  await given.pmGroup({ patches: [elsewhere] })

  await given.patchScan(computer, [approved.missing, unapproved.missing, elsewhere.missing, installed.installed])

  expect(await listOpenWork(computer)).toMatchObject([{ package_id: fix.id, kind: 'Install', schedule: '' }])
  expect(await listPatchIdsToFix(computer)).toEqual([approved.id])
  expect(await findDeployment(computer)).toMatchObject({ status: 'Pending', pending_since: expect.any(Date) })
})

test('an approval makes no work due until the next scan, even if this scan finds the same patches', async () => {
  const { computer, group } = await fleet()
  const patch = await scannablePatch()
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)
  await given.patchScan(computer, [patch.missing])
  const scope = { params: { patchId: patch.id }, query: { productId: patch.product.id } }

  const atFirst = await listOpenWork(computer)
  await as('pm.approve').call(approvePatch, scope)
  const approved = await listOpenWork(computer)
  await given.patchScan(computer, [patch.missing])

  expect([atFirst, approved]).toEqual([[], []])
  expect(await listOpenWork(computer)).toHaveLength(1)
})

test('a test assignment releases a patch before its approval, other assignments only after it', async () => {
  const { computer: pilot, other } = await fleet()
  const pilots = await given.group({ tree: 'AssignmentGroups' })
  await given.member(pilots, pilot)
  const patch = await scannablePatch()
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, await given.root('ConfigurationGroups'))
  await given.pmAssignment(pmGroup, pilots, { isTest: true })
  const scan = async () => {
    for (const computer of [pilot, other]) await given.patchScan(computer, [patch.missing])
    return [
      await listPatchIdsToFix(pilot),
      await listPatchIdsToFix(other),
      (await listOpenWork(pilot)).length,
      (await listOpenWork(other)).length,
    ]
  }

  const before = await scan()
  await as('pm.approve').call(approvePatch, {
    params: { patchId: patch.id },
    query: { productId: patch.product.id },
  })
  const after = await scan()

  expect(before).toEqual([[patch.id], [], 1, 0])
  expect(after).toEqual([[patch.id], [patch.id], 1, 1])
})

test('approving a patch for another product releases nothing', async () => {
  const { computer, group } = await fleet()
  const [mine, other] = [await given.product(), await given.product()]
  const patch = await given.patch({ products: [mine, other] })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.id, productId: mine.id }] }), group)
  await as('pm.approve').call(approvePatch, { params: { patchId: patch.id }, query: { productId: other.id } })

  await given.patchScan(computer, [{ key: patch.key, product: mine.name, status: 'Missing' }])

  expect(await listOpenWork(computer)).toEqual([])
})

test('revoking, removing, unassigning and deleting a release cancel fix work that is not leased', async () => {
  const stops = {
    revoked: ({ patch }: Lacking) => as('pm.approve').call(revokePatchApproval, { params: { patchId: patch.id } }),
    removed: ({ patch, pmGroup }: Lacking) =>
      as('pm.write').call(removePmGroupPatch, { params: { id: pmGroup.id, patchId: patch.id } }),
    unassigned: ({ group, pmGroup }: Lacking) =>
      as('pm.write').call(removePmGroupAssignment, { params: { id: pmGroup.id, treeId: group.id } }),
    deleted: ({ pmGroup }: Lacking) => as('pm.write').call(deletePmGroup, { params: { id: pmGroup.id } }),
  }

  for (const [name, stop] of Object.entries(stops)) {
    const lacking = await givenLackingComputer()
    const before = (await listOpenWork(lacking.computer)).length
    await stop(lacking)
    const after = (await listOpenWork(lacking.computer)).length
    expect({ name, before, after }).toEqual({ name, before: 1, after: 0 })
    expect(await findDeployment(lacking.computer)).toMatchObject({ status: 'Pending', pending_since: null })
  }
})

test('leaving, moving and deleting the group that releases the patches cancels fix work that another group assigns', async () => {
  const stops = {
    left: ({ releasing, computer }: Releasing) =>
      as('group.write').call(removeGroupComputers, {
        params: { id: releasing.id },
        query: { computerIds: [computer.id] },
      }),
    moved: ({ releasing, elsewhere }: Releasing) =>
      as('group.write').call(moveGroup, { params: { id: releasing.id }, body: { parentId: elsewhere.id } }),
    deleted: ({ releasing }: Releasing) =>
      as('group.write').call(deleteGroup, { params: { id: releasing.id }, query: { force: true } }),
  }

  for (const [name, stop] of Object.entries(stops)) {
    const releasing = await givenReleasingGroup()
    const before = (await listOpenWork(releasing.computer)).length
    await stop(releasing)
    const after = (await listOpenWork(releasing.computer)).length
    expect({ name, before, after }).toEqual({ name, before: 1, after: 0 })
  }
})

test('leaving one of two groups that release the patch leaves the fix work due', async () => {
  const { computer, group, pmGroup, releasing } = await givenReleasingGroup()
  await given.pmAssignment(pmGroup, group)

  await as('group.write').call(removeGroupComputers, {
    params: { id: releasing.id },
    query: { computerIds: [computer.id] },
  })

  expect(await listOpenWork(computer)).toHaveLength(1)
})

type Releasing = Awaited<ReturnType<typeof givenReleasingGroup>>

/** A computer that gets its fix package from one group and its patches from the parent of another. */
async function givenReleasingGroup() {
  const members = await fleet()
  const tree = 'AssignmentGroups'
  const [above, elsewhere] = [await given.group({ tree }), await given.group({ tree })]
  const releasing = await given.group({ tree, parent: above })
  await given.member(releasing, members.computer)
  const patch = await scannablePatch({ approved: true })
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, above)
  await given.patchScan(members.computer, [patch.missing])
  return { ...members, releasing, elsewhere, pmGroup }
}

test('turning a test assignment into an ordinary one cancels fix work for patches that are not approved', async () => {
  const { computer, group } = await fleet()
  const patch = await scannablePatch()
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, group, { isTest: true })
  await given.patchScan(computer, [patch.missing])
  const before = await listOpenWork(computer)

  await as('pm.write').call(assignPmGroup, { params: { id: pmGroup.id }, body: { treeId: group.id } })

  expect(before).toHaveLength(1)
  expect(await listOpenWork(computer)).toEqual([])
})

test('revoking one of two patches leaves the fix work due for the other', async () => {
  const { computer, group } = await fleet()
  const [one, other] = [await scannablePatch({ approved: true }), await scannablePatch({ approved: true })]
  await given.pmAssignment(await given.pmGroup({ patches: [one, other] }), group)
  await given.patchScan(computer, [one.missing, other.missing])

  await as('pm.approve').call(revokePatchApproval, { params: { patchId: one.id } })

  expect(await listOpenWork(computer)).toHaveLength(1)
  expect(await listPatchIdsToFix(computer)).toEqual([other.id])
})

test('a scan that finds the patch installed cancels waiting fix work', async () => {
  const { computer, patch } = await givenLackingComputer()

  await given.patchScan(computer, [patch.installed])

  expect(await listOpenWork(computer)).toEqual([])
})

/** Leases the work of a computer as if its agent had asked for work. */
async function leaseWork(computer: { id: number }) {
  await sql`
    update work set state = 'Leased', attempt = 1, leased_until = now() + interval '1 hour'
    where computer_id = ${computer.id}`.execute(db)
}

test('revoking an approval does not cancel fix work that an agent has leased', async () => {
  const { computer, patch } = await givenLackingComputer()
  await leaseWork(computer)

  await as('pm.approve').call(revokePatchApproval, { params: { patchId: patch.id } })

  expect(await listOpenWork(computer)).toHaveLength(1)
  expect(await listPatchIdsToFix(computer)).toEqual([])
})

test('another scan does not add a second work item to fix work that is already due', async () => {
  const { computer, patch } = await givenLackingComputer()

  await given.patchScan(computer, [patch.missing])

  expect(await listOpenWork(computer)).toHaveLength(1)
})

test('fix work with a schedule waits for its window, which is determined at the next contact', async () => {
  const { computer, group, fix } = await fleet()
  await scheduleOnSaturdays(group, fix)
  const patch = await scannablePatch({ approved: true })
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)

  await given.patchScan(computer, [patch.missing])

  expect(await listOpenWork(computer)).toMatchObject([
    { schedule: 'CRON=0 22 * * SAT;TZ=UTC;DURATION=180', window_ends_at: expect.any(Date) },
  ])
})

test('a scan makes no work due on a computer without a fix package', async () => {
  const [computer, group] = [await given.computer(), await given.group()]
  await given.member(group, computer)
  const patch = await scannablePatch({ approved: true })
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)

  await given.patchScan(computer, [patch.missing])

  expect(await listOpenWork(computer)).toEqual([])
  expect(await listPatchIdsToFix(computer)).toEqual([patch.id])
})

test('a pending fix package shows why it waits, step by step', async () => {
  const { computer, group, fix } = await fleet()
  const patch = await scannablePatch()
  const reason = async () => {
    const { body } = await as('computer.read').call(listSoftwareDeployments, {
      params: { id: computer.id },
      query: { packageId: fix.id },
    })
    return body[0]?.errorText
  }

  const unscanned = await reason()
  await given.patchScan(computer, [patch.installed])
  const nothingMissing = await reason()
  await given.patchScan(computer, [patch.missing])
  const unreleased = await reason()
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group, { isTest: true })
  const releasedSince = await reason()
  await given.patchScan(computer, [patch.missing, (await scannablePatch()).installed])

  expect(unscanned).toContain('first patch scan')
  expect(nothingMissing).toContain('found none')
  expect(unreleased).toContain('approval')
  expect(releasedSince).toContain('next patch scan')
  expect(await reason()).toBeNull()
})
