import { expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

const commandsOf = async (group: { id: string }, of: { id: string }) => {
  const read = { params: { id: group.id }, query: { packageId: of.id } }
  return (await as('group.read').call(getDistributionOptions, read)).body.commands
}

/** A computer with every kind of activation. */
async function fullyActivated() {
  const world = await state.member()
  const { group, params } = world
  await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  await given.assignment(group, await given.package({ is_pre_os: true }), 'package')
  const body = {
    software: true,
    pxe: true,
    pull: true,
    wol: '2099-01-01T00:00:00Z',
    srl: { action: 'Reboot' as const },
  }
  expect((await operator.call(activateComputer, { params, body })).status).toBe(200)
  return world
}

test('deactivation without named bits clears all bits and cancels all waiting work', async () => {
  const { computer, group, software, params } = await fullyActivated()

  const { body } = await operator.call(deactivateComputer, { params })

  expect(body).toEqual({
    clientId: computer.id,
    software: true,
    pxe: true,
    pull: true,
    global: true,
    uninstall: false,
    groupIds: [group.id],
    cancelledWork: 5,
  })
  expect(await state.openWork(computer)).toEqual([])
  expect(await state.activations(computer)).toEqual([])
  expect(await state.wakeRequests(computer)).toEqual([])
  expect(await state.deployment(computer, software)).toMatchObject({ pending_since: null })
  expect((await as('computer.read').call(getComputer, { params })).body.isPxeActive).toBe(false)
  const last = (await state.events(computer)).filter(({ package_id }) => package_id === software.id).at(-1)
  expect(last).toMatchObject({ result: 'Cancelled', classification: 'Cancellation', install_mode: 'Install' })
})

test.each([
  { bit: 'software', left: ['Install', 'OperatingSystem', 'Power', 'Refresh'], isPxeActive: true },
  { bit: 'pxe', left: ['Install', 'Power', 'Refresh'], isPxeActive: false },
  { bit: 'pull', left: ['Install', 'Install', 'OperatingSystem', 'Power'], isPxeActive: true },
] as const)('clearing only $bit leaves the work $left', async ({ bit, left, isPxeActive }) => {
  const { computer, params } = await fullyActivated()

  const { body } = await operator.call(deactivateComputer, { params, query: { [bit]: true } })

  expect(body).toMatchObject({ software: false, pxe: false, pull: false, [bit]: true })
  expect((await state.openWork(computer)).map(({ kind }) => kind).toSorted()).toEqual(left)
  expect(await state.activations(computer)).toMatchObject([{ software: true, pxe: true, pull: true, [bit]: false }])
  expect(await state.wakeRequests(computer)).toHaveLength(1)
  expect((await as('computer.read').call(getComputer, { params })).body.isPxeActive).toBe(isPxeActive)
})

test('deactivation cancels leased work, which may still report, but not a requested reinstall', async () => {
  const { computer, group, params } = await state.member(3)
  await operator.call(activateComputer, { params, body: { software: true } })
  const [leased, requested] = await state.openWork(computer)
  await state.lease(leased?.id ?? 0)
  await db
    .updateTable('work')
    .set({ reinstall_group_id: group.id })
    .where('id', '=', requested?.id ?? 0)
    .execute()

  const { body } = await operator.call(deactivateComputer, { params })

  expect(body.cancelledWork).toBe(2)
  expect((await state.openWork(computer)).map(({ id }) => id)).toEqual([requested?.id])
})

test('deactivation without global keeps what is published through other groups', async () => {
  const { computer, group, software, params } = await state.member()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.member(other, computer)
  const elsewhere = await given.package()
  await given.assignment(other, elsewhere, 'package')
  await operator.call(activateComputer, { params, body: { software: true, pull: true } })

  const { body } = await operator.call(deactivateComputer, { params, query: { global: false } })

  expect(body).toMatchObject({ groupIds: [group.id], global: false, cancelledWork: 1 })
  expect((await state.openWork(computer)).map(({ package_id }) => package_id)).toEqual([null, elsewhere.id])
  expect(await state.activations(computer)).toMatchObject([{ group_id: other.id, software: true, pull: true }])
  expect(await state.deployment(computer, software)).toMatchObject({ pending_since: null })
})

test('no activation outlives the membership through which it was made', async () => {
  const { computer, group, params } = await state.member(0)
  await operator.call(activateComputer, { params, body: { software: true } })
  expect(await state.activations(computer)).toMatchObject([{ group_id: group.id, software: true }])

  await db.deleteFrom('group_computers').where('group_id', '=', group.id).execute()

  expect(await state.activations(computer)).toEqual([])
})

test('uninstall=true replaces Uninstall by Install for packages that are still installed, and keeps the other commands', async () => {
  const { computer, group, packages, software, params } = await state.member(3)
  const [pending = software, done = software, whole = software] = packages
  await state.options(group, pending, ['Uninstall', 'Force', 'Hidden'])
  await state.options(group, done, ['Uninstall'])
  await state.installed(computer, pending)
  await state.installed(computer, done, { installation_state: 'Uninstalled' })
  await state.installed(computer, whole)
  await state.options(group, null, ['Uninstall'])
  await operator.call(activateComputer, { params, body: { software: true } })

  const kept = await operator.call(deactivateComputer, { params })
  const before = await commandsOf(group, pending)
  const { body } = await operator.call(deactivateComputer, { params, query: { uninstall: true } })

  expect(kept.body).toMatchObject({ cancelledWork: 2, uninstall: false })
  expect(before).toEqual(['Uninstall', 'Force', 'Hidden'])
  expect(body.uninstall).toBe(true)
  expect(await commandsOf(group, pending)).toEqual(['Install', 'Force', 'Hidden'])
  expect(await commandsOf(group, done)).toEqual(['Uninstall'])
  expect(await commandsOf(group, whole)).toEqual(['Uninstall'])
})

test('deactivation refuses a computer in no group and an unknown computer', async () => {
  const { computer, group } = await state.member(0)
  const lonely = await given.computer()
  await operator.call(activateComputer, { params: { id: lonely.id }, body: { pull: true } })
  await given.member(await given.group({ parent: group, kind: 'Reinstall' }), lonely)
  const before = await fingerprints(db)

  const refused = await operator.call(deactivateComputer, { params: { id: lonely.id } })
  const unknown = await operator.call(deactivateComputer, { params: { id: 2_000_000_000 } })

  expect(refused).toMatchObject({ status: 409, problem: 'ComputerNotGroupAssigned', raw: { clientId: lonely.id } })
  expect(unknown).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(await fingerprints(db)).toEqual(before)
  expect(await state.activations(computer)).toEqual([])
})
