import { expect, test } from 'vitest'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { listComputerPmGroups } from '../../src/features/patch-management/api/computer-patches/list-computer-pm-groups.ts'
import { assignPmGroup } from '../../src/features/patch-management/api/pm-groups/assign-pm-group.ts'
import { deletePmGroup } from '../../src/features/patch-management/api/pm-groups/delete-pm-group.ts'
import { getEmergencyPatching } from '../../src/features/patch-management/api/pm-groups/get-emergency-patching.ts'
import { removePmGroupAssignment } from '../../src/features/patch-management/api/pm-groups/remove-pm-group-assignment.ts'
import { startEmergencyPatching } from '../../src/features/patch-management/api/pm-groups/start-emergency-patching.ts'
import { stopEmergencyPatching } from '../../src/features/patch-management/api/pm-groups/stop-emergency-patching.ts'
import { fingerprints } from '../world/tables.ts'
import { openPatchWorld } from './patch-world.ts'

const { as, db, given, fleet, scannablePatch, scheduleOnSaturdays, listOpenWork, listPatchIdsToFix } =
  await openPatchWorld()
const unknownId = 2_000_000_000

/** Computers that lack an unapproved patch of a PM group without assignments. */
async function givenLackingComputers(count = 4) {
  const members = await fleet({ computers: count })
  const patch = await scannablePatch()
  const pmGroup = await given.pmGroup({ patches: [patch] })
  for (const computer of members.computers) await given.patchScan(computer, [patch.missing])
  return { ...members, patch, pmGroup, ids: members.computers.map(({ id }) => id) }
}

const start = (id: number, computerIds: number[]) =>
  as('pm.execute').call(startEmergencyPatching, { params: { id }, body: { computerIds } })

async function listIdsWithWork(computers: readonly { id: number }[]) {
  const open = await Promise.all(
    computers.map(async (computer) => ((await listOpenWork(computer)).length > 0 ? computer.id : 0)),
  )
  return open.filter((id) => id > 0)
}

test('emergency patching makes the patches due on the chosen computers and on no others', async () => {
  const { pmGroup, computers, ids, patch } = await givenLackingComputers(10)
  const chosen = ids.slice(2, 5)

  const { body } = await start(pmGroup.id, chosen)

  expect(body).toMatchObject({ pmGroupId: pmGroup.id, succeeded: 3, failed: 0 })
  expect(body.results).toEqual(
    chosen.map((clientId) => ({
      clientId,
      success: true,
      status: 'Started',
      message: expect.any(String),
      missingPatches: 1,
    })),
  )
  expect(await listIdsWithWork(computers)).toEqual(chosen)
  const patchesToFix = await Promise.all(computers.map(listPatchIdsToFix))
  expect(patchesToFix).toEqual(ids.map((id) => (chosen.includes(id) ? [patch.id] : [])))
})

test('emergency patching puts the computers into a new assignment group and activates it for them', async () => {
  const { pmGroup, ids } = await givenLackingComputers()
  const chosen = ids.slice(0, 2)

  const { body } = await start(pmGroup.id, chosen)

  const group = await as('group.read').call(getGroup, { params: { id: body.groupId } })
  const members = await as('group.read').call(listGroupComputers, { params: { id: body.groupId } })
  expect(group.body).toMatchObject({ name: body.groupName, assignedToTree: 'AssignmentGroups' })
  expect(members.body.items.map(({ id }) => id)).toEqual(chosen)
  const activated = await db
    .selectFrom('activations')
    .select(['computer_id', 'software', 'pxe'])
    .where('group_id', '=', body.groupId)
    .orderBy('computer_id')
    .execute()
  expect(activated).toEqual(chosen.map((computer_id) => ({ computer_id, software: true, pxe: false })))
})

test('a second start of emergency patching adds its computers to the same emergency', async () => {
  const { pmGroup, computers, ids } = await givenLackingComputers()
  const first = await start(pmGroup.id, ids.slice(0, 2))

  const second = await start(pmGroup.id, ids.slice(1, 4))

  expect(second.body.groupId).toBe(first.body.groupId)
  expect(await listIdsWithWork(computers)).toEqual(ids.slice(0, 4))
  const { body } = await as('pm.read').call(getEmergencyPatching, { params: { id: pmGroup.id } })
  expect(body.devices.items.map(({ clientId }) => clientId)).toEqual(ids.slice(0, 4))
})

test('stopping emergency patching cancels its work and deletes its group, assignment and activations', async () => {
  const { pmGroup, computers, ids } = await givenLackingComputers()
  const { body } = await start(pmGroup.id, ids.slice(0, 3))

  const stopped = await as('pm.execute').call(stopEmergencyPatching, { params: { id: pmGroup.id } })

  expect(stopped.status).toBe(204)
  expect(await listIdsWithWork(computers)).toEqual([])
  expect(await as('group.read').call(getGroup, { params: { id: body.groupId } })).toMatchObject({ status: 404 })
  for (const table of ['emergencies', 'activations', 'group_computers', 'pm_group_assignments'] as const)
    expect(await db.selectFrom(table).select('group_id').where('group_id', '=', body.groupId).execute()).toEqual([])
  expect(await as('pm.read').call(getEmergencyPatching, { params: { id: pmGroup.id } })).toMatchObject({
    status: 404,
    problem: 'NoEmergencyPatching',
  })
})

test('stopping emergency patching keeps fix work that another assignment requires', async () => {
  const { pmGroup, group, computers, ids } = await givenLackingComputers()
  await given.pmAssignment(pmGroup, group, { isTest: true })
  await start(pmGroup.id, ids.slice(0, 3))

  await as('pm.execute').call(stopEmergencyPatching, { params: { id: pmGroup.id } })

  expect(await listIdsWithWork(computers)).toEqual(ids.slice(0, 3))
})

test('an emergency assignment wins over an ordinary assignment at the same distance', async () => {
  const { pmGroup, group, computer, patch } = await givenLackingComputers()
  await given.pmAssignment(pmGroup, group)

  const { body } = await start(pmGroup.id, [computer.id])

  const groups = await as('computer.read').call(listComputerPmGroups, { params: { id: computer.id } })
  expect(groups.body.items).toMatchObject([{ treeId: body.groupId, isTestAssignment: false, tier: 0 }])
  expect(await listPatchIdsToFix(computer)).toEqual([patch.id])
})

test('emergency patching does not wait for the window of a schedule, even if the fix work was already waiting for it', async () => {
  const { pmGroup, group, fix, computer: waiting, other, patch } = await givenLackingComputers()
  await scheduleOnSaturdays(group, fix)
  await given.pmAssignment(pmGroup, group, { isTest: true })
  await given.patchScan(waiting, [patch.missing])
  const before = await listOpenWork(waiting)

  await start(pmGroup.id, [waiting.id, other.id])

  expect(before).toMatchObject([{ schedule: expect.stringContaining('CRON') }])
  for (const computer of [waiting, other])
    expect(await listOpenWork(computer)).toMatchObject([{ schedule: '', window_ends_at: null }])
})

test('starting emergency patching returns a status for each computer', async () => {
  const { pmGroup, group, computer, patch } = await givenLackingComputers()
  const [unscanned, patched, unassigned] = [await given.computer(), await given.computer(), await given.computer()]
  for (const member of [unscanned, patched]) await given.member(group, member)
  await given.patchScan(patched, [patch.installed])
  await given.patchScan(unassigned, [patch.missing])

  const { body } = await start(pmGroup.id, [computer.id, unscanned.id, patched.id, unassigned.id, unknownId, unknownId])

  expect(body.results.map(({ status, success }) => [status, success])).toEqual([
    ['Started', true],
    ['NotScanned', true],
    ['NothingMissing', true],
    ['NoFixPackage', false],
    ['NotFound', false],
  ])
  expect(body).toMatchObject({ succeeded: 3, failed: 2 })
})

test('an emergency fixes nothing by the scan of the system before, and what the first scan of the new one finds missing', async () => {
  const { pmGroup, computer, patch } = await givenLackingComputers()
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await given.patchScan(computer, [patch.missing], { scannedAt: ago(10) })
  await db
    .updateTable('computers')
    .set({ os_installed_at: ago(5) })
    .where('id', '=', computer.id)
    .execute()

  const { body } = await start(pmGroup.id, [computer.id])

  expect(body.results).toMatchObject([{ status: 'NotScanned', missingPatches: 0, success: true }])
  expect([await listOpenWork(computer), await listPatchIdsToFix(computer)]).toEqual([[], []])
  const params = { id: computer.id }
  const query = { patchId: patch.id }
  const explained = (await as('computer.read', 'pm.read').call(explainComputer, { params, query })).body
  expect(explained).toMatchObject({ verdict: 'Waiting', blockers: [{ reason: 'NoScan' }] })
  await given.patchScan(computer, [patch.missing])
  expect([(await listOpenWork(computer)).length, await listPatchIdsToFix(computer)]).toEqual([1, [patch.id]])
})

test('emergency patching refuses an empty list, more than 500 computers and an unknown PM group', async () => {
  const { id } = await given.pmGroup()
  const before = await fingerprints(db)

  expect(await start(id, [])).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(
    await start(
      id,
      Array.from({ length: 501 }, (_, at) => at + 1),
    ),
  ).toMatchObject({ status: 400 })
  expect(await start(unknownId, [1])).toMatchObject({ status: 404, problem: 'PmGroupNotFound' })
  for (const params of [{ id: unknownId }, { id }]) {
    const refused = await as('pm.execute').call(stopEmergencyPatching, { params })
    expect(refused.status).toBe(404)
  }
  expect(await fingerprints(db)).toEqual(before)
})

test('the assignment of an emergency can be neither removed nor changed', async () => {
  const { pmGroup, computer } = await givenLackingComputers()
  const { body } = await start(pmGroup.id, [computer.id])
  await as('pm.write').call(deletePmGroup, { params: { id: unknownId } })
  const before = await fingerprints(db)

  const refused = [
    await as('pm.write').call(removePmGroupAssignment, { params: { id: pmGroup.id, treeId: body.groupId } }),
    await as('pm.write').call(assignPmGroup, { params: { id: pmGroup.id }, body: { treeId: body.groupId } }),
  ]

  for (const one of refused) expect(one).toMatchObject({ status: 409, problem: 'EmergencyGroup' })
  expect(await fingerprints(db)).toEqual(before)
})

test('deleting the PM group or the group of an emergency ends the emergency', async () => {
  const [one, other] = [await givenLackingComputers(), await givenLackingComputers()]
  const first = await start(one.pmGroup.id, [one.computer.id])
  const second = await start(other.pmGroup.id, [other.computer.id])

  await as('pm.write').call(deletePmGroup, { params: { id: one.pmGroup.id } })
  await as('group.write').call(deleteGroup, { params: { id: second.body.groupId }, query: { force: true } })

  expect(await as('group.read').call(getGroup, { params: { id: first.body.groupId } })).toMatchObject({ status: 404 })
  expect(await listOpenWork(one.computer)).toEqual([])
  expect(await listPatchIdsToFix(other.computer)).toEqual([])
  expect(await as('pm.read').call(getEmergencyPatching, { params: { id: other.pmGroup.id } })).toMatchObject({
    problem: 'NoEmergencyPatching',
  })
})
