import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { revokePatchApproval } from '../../src/features/patch-management/api/approval/revoke-patch-approval.ts'
import { assignPmGroup } from '../../src/features/patch-management/api/pm-groups/assign-pm-group.ts'
import { deletePmGroup } from '../../src/features/patch-management/api/pm-groups/delete-pm-group.ts'
import { removePmGroupAssignment } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-assignment.ts'
import { removePmGroupPatch } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-patch.ts'
import { fixWaitReason } from '../../src/features/patches/fix-wait-reason.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, fleet, scannable, openWork, toFix } = await openPatchWorld()

/** A computer that lacks an approved patch of its PM group. */
async function lacking() {
  const made = await fleet()
  const patch = await scannable({ approved: true })
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, made.group)
  await given.patchScan(made.computer, [patch.missing])
  return { ...made, patch, pmGroup }
}

async function deploymentOf(computer: { id: number }) {
  return db
    .selectFrom('deployments')
    .select(['status', 'pending_since'])
    .where('computer_id', '=', computer.id)
    .executeTakeFirst()
}

test('a scan that finds an approved patch of the PM groups missing makes the fix package due with exactly this patch', async () => {
  const { computer, group, fix } = await fleet()
  const [approved, unapproved, elsewhere, installed] = [
    await scannable({ approved: true }),
    await scannable(),
    await scannable({ approved: true }),
    await scannable({ approved: true }),
  ]
  await given.pmAssignment(await given.pmGroup({ patches: [approved, unapproved, installed] }), group)
  await given.pmGroup({ patches: [elsewhere] })

  await given.patchScan(computer, [approved.missing, unapproved.missing, elsewhere.missing, installed.installed])

  expect(await openWork(computer)).toMatchObject([{ package_id: fix.id, kind: 'Install', schedule: '' }])
  expect(await toFix(computer)).toEqual([approved.id])
  expect(await deploymentOf(computer)).toMatchObject({ status: 'Pending', pending_since: expect.any(Date) })
})

test('approval alone makes nothing due; the next scan does, even if it finds the same', async () => {
  const { computer, group } = await fleet()
  const patch = await scannable()
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)
  await given.patchScan(computer, [patch.missing])
  const scope = { params: { patchId: patch.id }, query: { productId: patch.product.id } }

  const atFirst = await openWork(computer)
  await as('pm.approve').call(approvePatch, scope)
  const approved = await openWork(computer)
  await given.patchScan(computer, [patch.missing])

  expect([atFirst, approved]).toEqual([[], []])
  expect(await openWork(computer)).toHaveLength(1)
})

test('a test assignment gets the patch before approval, the others only after', async () => {
  const { group, computer: pilot, other } = await fleet()
  const pilots = await given.group({ tree: 'AssignmentGroups' })
  await given.member(pilots, pilot)
  const patch = await scannable()
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, await rootAbove(group))
  await given.pmAssignment(pmGroup, pilots, { isTest: true })
  const scan = async () => {
    for (const computer of [pilot, other]) await given.patchScan(computer, [patch.missing])
    return [await toFix(pilot), await toFix(other), (await openWork(pilot)).length, (await openWork(other)).length]
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

async function rootAbove(group: { id: string }) {
  const { parent_id } = await db
    .selectFrom('groups')
    .select('parent_id')
    .where('id', '=', group.id)
    .executeTakeFirstOrThrow()
  return { id: parent_id ?? '' }
}

test('an approval for another product of the same patch releases nothing', async () => {
  const { computer, group } = await fleet()
  const [mine, other] = [await given.product(), await given.product()]
  const patch = await given.patch({ products: [mine, other] })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.id, productId: mine.id }] }), group)
  await as('pm.approve').call(approvePatch, { params: { patchId: patch.id }, query: { productId: other.id } })

  await given.patchScan(computer, [{ key: patch.key, product: mine.name, status: 'Missing' }])

  expect(await openWork(computer)).toEqual([])
})

test('whatever takes a release back stops a fix that is not done', async () => {
  const stops = {
    revoked: ({ patch }: Awaited<ReturnType<typeof lacking>>) =>
      as('pm.approve').call(revokePatchApproval, { params: { patchId: patch.id } }),
    removed: ({ patch, pmGroup }: Awaited<ReturnType<typeof lacking>>) =>
      as('pm.write').call(removePmGroupPatch, { params: { id: pmGroup.id, patchId: patch.id } }),
    unassigned: ({ group, pmGroup }: Awaited<ReturnType<typeof lacking>>) =>
      as('pm.write').call(removePmGroupAssignment, { params: { id: pmGroup.id, treeId: group.id } }),
    deleted: ({ pmGroup }: Awaited<ReturnType<typeof lacking>>) =>
      as('pm.write').call(deletePmGroup, { params: { id: pmGroup.id } }),
  }

  for (const [name, stop] of Object.entries(stops)) {
    const made = await lacking()
    const before = (await openWork(made.computer)).length
    await stop(made)
    const after = (await openWork(made.computer)).length
    expect({ name, before, after }).toEqual({ name, before: 1, after: 0 })
    expect(await deploymentOf(made.computer)).toMatchObject({ status: 'Pending', pending_since: null })
  }
})

test('a test assignment that becomes an ordinary one holds back what is not approved', async () => {
  const { computer, group } = await fleet()
  const patch = await scannable()
  const pmGroup = await given.pmGroup({ patches: [patch] })
  await given.pmAssignment(pmGroup, group, { isTest: true })
  await given.patchScan(computer, [patch.missing])
  const before = await openWork(computer)

  await as('pm.write').call(assignPmGroup, { params: { id: pmGroup.id }, body: { treeId: group.id } })

  expect(before).toHaveLength(1)
  expect(await openWork(computer)).toEqual([])
})

test('revoking one of two patches leaves the fix due for the other', async () => {
  const { computer, group } = await fleet()
  const [one, other] = [await scannable({ approved: true }), await scannable({ approved: true })]
  await given.pmAssignment(await given.pmGroup({ patches: [one, other] }), group)
  await given.patchScan(computer, [one.missing, other.missing])

  await as('pm.approve').call(revokePatchApproval, { params: { patchId: one.id } })

  expect(await openWork(computer)).toHaveLength(1)
  expect(await toFix(computer)).toEqual([other.id])
})

test('a scan that finds the patch installed cancels a fix that still waits', async () => {
  const { computer, patch } = await lacking()

  await given.patchScan(computer, [patch.installed])

  expect(await openWork(computer)).toEqual([])
})

test('revoking does not take work away from an agent that has it', async () => {
  const { computer, patch } = await lacking()
  await sql`
    update work set state = 'Leased', attempt = 1, leased_until = now() + interval '1 hour'
    where computer_id = ${computer.id}`.execute(db)

  await as('pm.approve').call(revokePatchApproval, { params: { patchId: patch.id } })

  expect(await openWork(computer)).toHaveLength(1)
  expect(await toFix(computer)).toEqual([])
})

test('a fix that is due already stays one piece of work', async () => {
  const { computer, patch } = await lacking()

  await given.patchScan(computer, [patch.missing])

  expect(await openWork(computer)).toHaveLength(1)
})

test('the window of a schedule is looked up at the next contact', async () => {
  const { computer, group, fix } = await fleet()
  await db
    .insertInto('distribution_options')
    .values({
      group_id: group.id,
      package_id: fix.id,
      dist_commands: 1,
      schedule: 'CRON=0 22 * * SAT;TZ=UTC;DURATION=180',
    })
    .execute()
  const patch = await scannable({ approved: true })
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)

  await given.patchScan(computer, [patch.missing])

  expect(await openWork(computer)).toMatchObject([
    { schedule: 'CRON=0 22 * * SAT;TZ=UTC;DURATION=180', window_ends_at: expect.any(Date) },
  ])
})

test('without a fix package nothing is due', async () => {
  const [computer, group] = [await given.computer(), await given.group()]
  await given.member(group, computer)
  const patch = await scannable({ approved: true })
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group)

  await given.patchScan(computer, [patch.missing])

  expect(await openWork(computer)).toEqual([])
  expect(await toFix(computer)).toEqual([patch.id])
})

test('why a fix waits is told, step by step', async () => {
  const { computer, group } = await fleet()
  const patch = await scannable()
  const reason = async () => {
    const { rows } = await sql<{ why: string | null }>`
      select ${fixWaitReason('computers.id')} as why from computers where id = ${computer.id}`.execute(db)
    return rows[0]?.why
  }

  const unscanned = await reason()
  await given.patchScan(computer, [patch.installed])
  const nothingMissing = await reason()
  await given.patchScan(computer, [patch.missing])
  const unreleased = await reason()
  await given.pmAssignment(await given.pmGroup({ patches: [patch] }), group, { isTest: true })
  const releasedSince = await reason()
  await given.patchScan(computer, [patch.missing, (await scannable()).installed])

  expect(unscanned).toContain('first patch scan')
  expect(nothingMissing).toContain('found none')
  expect(unreleased).toContain('approval')
  expect(releasedSince).toContain('next patch scan')
  expect(await reason()).toBeNull()
})
