import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { activateComputers } from '../../src/features/deployments/api/selection/activate-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { countStatements } from '../world/statements.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

/** A group with a package, and one below it with a computer and a package of its own. */
async function family() {
  const { computer, group, software } = await state.member()
  const below = await given.group({ parent: group })
  const [child, extra] = [await given.computer(), await given.package()]
  await given.member(below, child)
  await given.assignment(below, extra, 'package')
  return { group, below, computer, child, software, extra, params: { id: group.id } }
}

const packagesOf = async (computer: { id: number }) =>
  (await state.openWork(computer)).map(({ package_id }) => package_id).toSorted()

test('activating a group creates the work of all computers in its subtree as one task', async () => {
  const { group, computer, child, software, extra, params } = await family()

  const { body } = await operator.call(activateGroup, { params, body: { software: true } })

  expect(body).toEqual({
    groupId: group.id,
    software: true,
    pxe: false,
    pull: false,
    global: true,
    computerCount: 2,
    withoutPxeBootImage: 0,
    pxeNotApplicable: 0,
    notReadyForPxe: 0,
    withoutMacAddress: 0,
    wolUtc: null,
    srl: null,
    trackingId: expect.any(String),
    plan: null,
  })
  expect(await packagesOf(computer)).toEqual([software.id])
  expect(await packagesOf(child)).toEqual([software.id, extra.id].toSorted())
  const tasks = [...(await state.openWork(computer)), ...(await state.openWork(child))].map(({ task_id }) => task_id)
  expect(new Set(tasks)).toEqual(new Set([body.trackingId]))
})

test('a dry run says by package what is installed, removed, offered, on its way, and where nothing is to be done', async () => {
  const { group, below, computer, child, software, extra, params } = await family()
  const [removed, offered] = [await given.package({ name: 'B removed' }), await given.package({ name: 'A offered' })]
  for (const one of [removed, offered]) await given.assignment(below, one, 'package')
  await state.options(below, removed, ['Uninstall'])
  await state.options(below, offered, ['Install', 'Optional'])
  await state.installed(child, removed)
  await state.installed(computer, software)
  const idle = await given.computer()
  await given.member(group, idle)
  await state.installed(idle, software)
  await operator.call(activateGroup, { params: { id: below.id }, body: { software: true, global: false } })
  await state.options(below, extra, ['Update'])
  const reader = as('activation.execute', 'computer.read')
  const none = { install: 0, remove: 0, offer: 0, pending: 0, nothingToDo: 0, notApplicable: 0 }
  const ofPackage = ({ id }: { id: string }, counts: object) => ({
    ...{ packageId: id, name: expect.any(String), version: expect.anything(), requiredBy: [] },
    ...{ ...none, ...counts },
  })

  const dryRun = { query: { dryRun: true }, body: { software: true } }
  const ofGroup = await reader.call(activateGroup, { params, ...dryRun })
  const ofComputer = await reader.call(activateComputer, { params: { id: computer.id }, ...dryRun })
  const ofSelection = await reader.call(activateComputers, {
    query: { dryRun: true },
    body: { computerIds: [computer.id, child.id, idle.id] },
  })
  const withoutRole = await operator.call(activateGroup, { params, ...dryRun })

  const packages = expect.arrayContaining([
    ofPackage(software, { pending: 1, nothingToDo: 2 }),
    ofPackage(extra, { nothingToDo: 1 }),
    ofPackage(removed, { pending: 1 }),
    ofPackage(offered, { offer: 1 }),
  ])
  expect(ofGroup.body.plan).toEqual({ ...none, offer: 1, pending: 1, nothingToDo: 2, packages })
  expect(ofGroup.body.plan?.packages).toHaveLength(4)
  expect(ofGroup.body.plan?.packages.slice(0, 2).map(({ name }) => name)).toEqual(['A offered', 'B removed'])
  expect(ofSelection.body.plan).toEqual(ofGroup.body.plan)
  expect(ofComputer.body.plan).toEqual({
    ...none,
    nothingToDo: 1,
    packages: [ofPackage(software, { nothingToDo: 1 })],
  })
  expect(withoutRole.body.plan).toBeNull()
})

test('the plan of a dry run is what the activation then does', async () => {
  const { below, child, software, extra, params } = await family()
  const removed = await given.package()
  await given.assignment(below, removed, 'package')
  await state.options(below, removed, ['Uninstall'])
  await state.installed(child, removed)
  const caller = as('activation.execute', 'computer.read')

  const { plan } = (await caller.call(activateGroup, { params, query: { dryRun: true }, body: { software: true } }))
    .body
  await caller.call(activateGroup, { params, body: { software: true } })

  expect(plan).toMatchObject({ install: 2, remove: 1, pending: 0, nothingToDo: 0 })
  expect(new Map(plan?.packages.map(({ packageId, install, remove }) => [packageId, [install, remove]]))).toEqual(
    new Map([
      [software.id, [2, 0]],
      [extra.id, [1, 0]],
      [removed.id, [0, 1]],
    ]),
  )
  expect((await state.openWork(child)).map(({ package_id, kind }) => [package_id, kind])).toEqual(
    expect.arrayContaining([
      [software.id, 'Install'],
      [extra.id, 'Install'],
      [removed.id, 'Uninstall'],
    ]),
  )
})

test('group activation and deactivation without global apply only to groups of the subtree', async () => {
  const { below, child, software, extra } = await family()
  const other = await given.group({ tree: 'AssignmentGroups' })
  const elsewhere = await given.package()
  await given.assignment(other, elsewhere, 'package')
  await given.member(other, child)
  const params = { id: below.id }

  await operator.call(activateGroup, { params, body: { software: true, global: false } })
  const narrow = await packagesOf(child)
  await operator.call(activateGroup, { params, body: { software: true } })
  const wide = await packagesOf(child)
  const { body } = await operator.call(deactivateGroup, { params, query: { global: false } })

  expect(narrow).toEqual([software.id, extra.id].toSorted())
  expect(wide).toEqual([software.id, extra.id, elsewhere.id].toSorted())
  expect(body).toMatchObject({ groupId: below.id, global: false, computerCount: 1, cancelledWork: 2 })
  expect(await packagesOf(child)).toEqual([elsewhere.id])
})

test('deactivating a group cancels the waiting work of its computers', async () => {
  const { computer, child, params } = await family()
  await operator.call(activateGroup, { params, body: { software: true, pull: true } })

  const { body } = await operator.call(deactivateGroup, { params, query: { software: true } })
  const rest = await operator.call(deactivateGroup, { params })

  expect(body).toEqual({
    groupId: params.id,
    software: true,
    pxe: false,
    pull: false,
    global: true,
    computerCount: 2,
    cancelledWork: 3,
  })
  expect(rest.body).toMatchObject({ software: true, pxe: true, pull: true, cancelledWork: 2 })
  for (const one of [computer, child]) expect(await state.activations(one)).toEqual([])
})

test('group activation skips and counts computers without a boot image for pxe', async () => {
  const { below, computer, child, params } = await family()
  await given.assignment(below, await given.pxeBootImage(), 'pxeBootImage')

  const { body } = await operator.call(activateGroup, { params, body: { pxe: true } })

  expect(body).toMatchObject({ pxe: true, computerCount: 2, withoutPxeBootImage: 1 })
  const isActive = async ({ id }: { id: number }) =>
    (await as('computer.read').call(getComputer, { params: { id } })).body.isPxeActive
  expect([await isActive(computer), await isActive(child)]).toEqual([false, true])
  expect(await state.activations(computer)).toEqual([])
  expect((await state.openWork(child)).map(({ kind }) => kind)).toEqual(['OperatingSystem'])
})

test('a group without computers can be activated and deactivated', async () => {
  const { id } = await given.group()

  const on = await operator.call(activateGroup, { params: { id }, body: { software: true, pxe: true, pull: true } })
  const off = await operator.call(deactivateGroup, { params: { id } })

  expect(on.body).toMatchObject({ computerCount: 0, withoutPxeBootImage: 0, trackingId: null })
  expect(off.body).toMatchObject({ computerCount: 0, cancelledWork: 0 })
})

test('group activation refuses unknown groups, requests without a bit, and pxe if no computer has a boot image', async () => {
  const { params } = await family()
  const before = await fingerprints(db)

  const unknown = await operator.call(activateGroup, { params: { id: randomUUID() }, body: { pull: true } })
  const deactivated = await operator.call(deactivateGroup, { params: { id: randomUUID() } })
  const nothing = await operator.call(activateGroup, { params, body: { global: true } })
  const bare = await operator.call(activateGroup, { params, body: { software: true, pxe: true } })

  expect(unknown).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(deactivated).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  expect(nothing).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(bare).toMatchObject({ status: 409, problem: 'NoPxeBootImageAssigned', raw: { groupId: params.id } })
  expect(await fingerprints(db)).toEqual(before)
})

test('group activation uses a constant number of statements', async () => {
  const counts = []
  for (const size of [2, 60]) {
    const top = await given.group()
    for (let n = 0; n < size; n++) {
      const group = await given.group({ parent: top })
      await given.member(group, await given.computer())
      if (n < 10) await given.assignment(group, await given.package(), 'package')
    }
    counts.push(
      await countStatements(async () => {
        const on = await operator.call(activateGroup, { params: { id: top.id }, body: { software: true, pull: true } })
        const off = await operator.call(deactivateGroup, { params: { id: top.id } })
        expect([on.body.computerCount, off.body.cancelledWork]).toEqual([size, size + Math.min(size, 10)])
      }),
    )
  }

  expect(counts[0]).toBe(counts[1])
})
