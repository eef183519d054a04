import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { removeGroupSoftwareClass } from '../../src/features/assignments/api/groups/remove-group-software-class.ts'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

const optionsOf = async (group: { id: string }, of: { id: string }) => {
  const read = { params: { id: group.id }, query: { packageId: of.id } }
  return (await as('group.read').call(getDistributionOptions, read)).body
}

test('uninstalling sets Uninstall in the options of the nearest assignment and activates only this computer', async () => {
  const { computer, group, software, params } = await state.member()
  const neighbour = await given.computer()
  await given.member(group, neighbour)
  await state.options(group, null, ['Install', 'Update', 'Force'], {
    revoke_count: 2,
    schedule: 'FROM=2099-01-01T00:00:00Z',
  })
  for (const one of [computer, neighbour]) await state.installed(one, software)

  const { body } = await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  expect(body).toMatchObject({ clientId: computer.id, packageId: software.id, groupId: group.id })
  expect(await optionsOf(group, software)).toMatchObject({
    commands: ['Uninstall', 'Force'],
    revokeCount: 2,
    scheduleString: 'FROM=2099-01-01T00:00:00Z',
  })
  expect(await state.openWork(computer)).toMatchObject([{ package_id: software.id, kind: 'Uninstall', commands: 20 }])
  expect(await state.deployment(computer, software)).toMatchObject({
    status: 'Pending',
    installation_state: 'Installed',
  })
  expect(await state.events(computer)).toMatchObject([{ result: 'Pending', classification: 'Request' }])
  expect(await state.openWork(neighbour)).toEqual([])
  const tasks = await as('computer.read').call(listTasks, { query: { clientId: computer.id } })
  expect(tasks.body.items).toMatchObject([{ type: 'Uninstall', packageId: software.id }])
})

test('a package without a command that uninstalls it is refused, and nothing changes', async () => {
  const { computer, group, params } = await state.member(0)
  const manifest = JSON.stringify({ commands: { install: { argv: ['sh', 'install.sh'] } } })
  const stuck = await given.package({ manifest })
  await given.assignment(group, stuck, 'package')
  await state.installed(computer, stuck)
  const set = { params: { id: group.id }, query: { packageId: stuck.id } }
  const editor = as('group.write')
  await editor.call(setDistributionOptions, { ...set, body: { commands: ['Install'] } })
  const before = await fingerprints(db)

  const requested = await operator.call(uninstallSoftware, { params, body: { packageId: stuck.id } })
  const byOptions = await editor.call(setDistributionOptions, { ...set, body: { commands: ['Uninstall'] } })

  for (const refused of [requested, byOptions])
    expect(refused).toMatchObject({ status: 409, problem: 'NoUninstallCommand' })
  expect(await fingerprints(db)).toEqual(before)
})

test.each([
  ['an uninstall command', { commands: { install: {}, uninstall: {} } }, ['Uninstall']],
  ['an MSI file', { msi: {} }, ['Uninstall']],
  ['neither', { commands: { install: {} } }, []],
])('with Uninstall for a whole group, a package with %s is uninstalled if it can be', async (_, manifest, kinds) => {
  const { computer, group, params } = await state.member(0)
  const software = await given.package({ manifest: JSON.stringify(manifest) })
  await given.assignment(group, software, 'package')
  await state.installed(computer, software)
  await state.options(group, null, ['Uninstall'])

  await operator.call(activateComputer, { params, body: { software: true } })

  expect((await state.openWork(computer)).map(({ kind }) => kind)).toEqual(kinds)
})

test('other computers of the group uninstall the package at their next activation', async () => {
  const { group, software, params } = await state.member()
  const neighbour = await given.computer()
  await given.member(group, neighbour)
  for (const id of [params.id, neighbour.id]) await state.installed({ id }, software)
  await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  await operator.call(activateComputer, { params: { id: neighbour.id }, body: { software: true } })

  expect(await state.openWork(neighbour)).toMatchObject([{ kind: 'Uninstall' }])
})

test('uninstalling cancels waiting work of the package', async () => {
  const { computer, group, software, params } = await state.member()
  await state.options(group, software, ['Reinstall'])
  await state.installed(computer, software)
  await operator.call(activateComputer, { params, body: { software: true } })

  await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  expect(await state.openWork(computer)).toMatchObject([{ kind: 'Uninstall' }])
})

test('uninstalling cancels leased work and a pending reinstall of the package', async () => {
  const { computer, software, params } = await state.member()
  await state.installed(computer, software)
  const body = { packageId: software.id }
  await as('reinstall.execute').call(requestSoftwareReinstall, { params, body })
  for (const { id } of await state.openWork(computer)) await state.lease(id)

  await operator.call(uninstallSoftware, { params, body })

  expect(await state.openWork(computer)).toMatchObject([{ kind: 'Uninstall' }])
  const pending = await as('computer.read').call(listSoftwareReinstalls, { params })
  expect(pending.body.totalCount).toBe(0)
})

/** A computer on which a package is installed that its group has through a software class. */
async function memberWithClass() {
  const { computer, group, software: other, params } = await state.member()
  const [software, sibling] = [await given.package(), await given.package()]
  const softwareClass = await given.softwareClass({ packages: [software, sibling] })
  await given.assignment(group, softwareClass, 'softwareClass')
  for (const one of [software, sibling, other]) await state.installed(computer, one)
  return { computer, group, other, software, sibling, softwareClass, params }
}

test('a package that is assigned through a software class is uninstalled, and only this package of the class', async () => {
  const { computer, group, other, software, sibling, params } = await memberWithClass()
  const neighbour = await given.computer()
  await given.member(group, neighbour)
  for (const one of [software, sibling, other]) await state.installed(neighbour, one)

  const { body } = await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })
  const repeated = await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })
  await operator.call(activateComputer, { params: { id: neighbour.id }, body: { software: true } })

  expect(body).toMatchObject({ clientId: computer.id, packageId: software.id, groupId: group.id })
  expect(repeated).toMatchObject({ status: 409, problem: 'UninstallAlreadyPending' })
  for (const one of [computer, neighbour])
    expect(await state.openWork(one)).toMatchObject([{ package_id: software.id, kind: 'Uninstall' }])
})

test('a deactivation resets the uninstallation of a package that is assigned through a software class', async () => {
  const { computer, software, params } = await memberWithClass()
  await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  await operator.call(deactivateComputer, { params, query: { uninstall: true } })
  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toEqual([])
})

test('the options of a package of a software class end when the class leaves the group', async () => {
  const { computer, group, software, softwareClass, params } = await memberWithClass()
  await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  const classInGroup = { params: { id: group.id, classId: softwareClass.id } }
  expect((await as('group.write').call(removeGroupSoftwareClass, classInGroup)).status).toBe(204)
  await given.assignment(group, softwareClass, 'softwareClass')
  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toEqual([])
})

test('a changed software class keeps the options of the packages that stay in it', async () => {
  const { computer, software, sibling, softwareClass, params } = await memberWithClass()
  await operator.call(uninstallSoftware, { params, body: { packageId: software.id } })

  const catalog = { softwareClasses: [{ name: softwareClass.name, packages: [software.id] }] }
  expect((await as('package.write').call(applyCatalog, { body: { catalog } })).status).toBe(200)
  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toMatchObject([{ package_id: software.id, kind: 'Uninstall' }])
  const { body } = await as('computer.read').call(listSoftwareDeployments, { params, query: {} })
  expect(body).toMatchObject([
    { softwareId: expect.any(String), desiredMode: 'Install' },
    { softwareId: software.id, desiredMode: 'Uninstall' },
    { softwareId: sibling.id, desiredMode: '' },
  ])
})

const { computer, group, software, params } = await state.member()
const missing = await given.package()
await state.installed(computer, missing)
const pending = await given.package()
await given.assignment(group, pending, 'package')
await state.options(group, pending, ['Uninstall'])
await state.installed(computer, pending)
await operator.call(activateComputer, { params, body: { software: true } })

test.each([
  { what: 'an unknown package', packageId: randomUUID(), code: 'PackageNotAssigned' },
  { what: 'a package that is not assigned', packageId: missing.id, code: 'PackageNotAssigned' },
  { what: 'a package that is not installed', packageId: software.id, code: 'PackageNotInstalled' },
  { what: 'a package that is already to be uninstalled', packageId: pending.id, code: 'UninstallAlreadyPending' },
])('uninstalling $what is refused with $code', async ({ packageId, code }) => {
  const before = await fingerprints(db)

  const refused = await operator.call(uninstallSoftware, { params, body: { packageId } })

  expect(refused).toMatchObject({ status: 409, problem: code, raw: { clientId: computer.id, packageId } })
  expect(await fingerprints(db)).toEqual(before)
})

test('uninstalling is pending only on computers that have the work, though the options belong to the whole group', async () => {
  const second = await given.computer()
  await given.member(group, second)
  await state.installed(second, pending)
  const request = { params: { id: second.id }, body: { packageId: pending.id } }

  const accepted = await operator.call(uninstallSoftware, request)
  const repeated = await operator.call(uninstallSoftware, request)

  expect(accepted).toMatchObject({ status: 200, body: { groupId: group.id, trackingId: expect.any(String) } })
  expect(await state.openWork(second)).toContainEqual(
    expect.objectContaining({ package_id: pending.id, kind: 'Uninstall' }),
  )
  expect(repeated).toMatchObject({ status: 409, problem: 'UninstallAlreadyPending' })
})

test('a failed uninstall can be requested again', async () => {
  const { computer: own, software: failed, params: ownParams } = await state.member()
  await state.installed(own, failed)
  const request = { params: ownParams, body: { packageId: failed.id } }
  await operator.call(uninstallSoftware, request)
  await db
    .updateTable('work')
    .set({ state: 'Failed', closed_at: new Date() })
    .where('computer_id', '=', own.id)
    .execute()

  expect((await operator.call(uninstallSoftware, request)).status).toBe(200)
  expect(await state.openWork(own)).toMatchObject([{ kind: 'Uninstall', state: 'Due' }])
})

test('uninstalling on an unknown computer answers 404', async () => {
  const before = await fingerprints(db)

  const refused = await operator.call(uninstallSoftware, {
    params: { id: 2_000_000_000 },
    body: { packageId: software.id },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})
