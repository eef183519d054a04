import { expect, test } from 'vitest'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { rescanComputer } from '../../src/features/deployments/api/requests/rescan-computer.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)

type Computer = { id: number }

const rescan = (computer: Computer, scanType: 'Inventory' | 'Patch' = 'Inventory') =>
  as('scan.execute').call(rescanComputer, { params: { id: computer.id }, body: { scanType } })
const pendingOn = async (computer: Computer) =>
  (await as('computer.read').call(listSoftwareReinstalls, { params: { id: computer.id } })).body.items

test.each([
  ['Inventory', 'InventoryScan'],
  ['Patch', 'PatchScan'],
] as const)('a scan of the type %s reinstalls the assigned package of the kind %s', async (scanType, kind) => {
  const [scan, other] = [await given.package({ kind }), await given.package()]
  const { computer, group } = await world.assigned(scan, other)

  const { body } = await rescan(computer, scanType)

  expect(body).toMatchObject({ softwareId: scan.id, parentGroupId: group.id, alreadyPending: false })
  const { alreadyPending: _, ...listed } = body
  expect(await pendingOn(computer)).toEqual([listed])
  const [work] = await world.workOf(computer)
  expect(work).toMatchObject({ kind: 'Reinstall', state: 'Due', package_id: scan.id, commands: 24 })
  const task = await as('computer.read').call(getTask, { params: { trackingId: work?.task_id ?? '' } })
  expect(task.body.type).toBe('Rescan')
})

test('a scan uses the nearest of several scan packages', async () => {
  const [near, far] = [await given.package({ kind: 'PatchScan' }), await given.package({ kind: 'PatchScan' })]
  const { group } = await world.assigned(far)
  const below = await given.group({ parent: group })
  await given.assignment(below, near, 'package')
  const computer = await given.computer()
  await given.member(below, computer)

  expect((await rescan(computer, 'Patch')).body.softwareId).toBe(near.id)
})

test('a pending scan is returned again until it is cancelled', async () => {
  const { computer } = await world.assigned(await given.package({ kind: 'InventoryScan' }))
  const first = (await rescan(computer)).body
  const before = await fingerprints(db)

  const again = await rescan(computer)

  expect(again.raw).toEqual({ ...first, alreadyPending: true })
  const { audit_chains: _, audit_entries: __, ...after } = await fingerprints(db)
  expect(before).toMatchObject(after)
  await as('reinstall.execute').call(cancelSoftwareReinstall, {
    params: { id: computer.id },
    query: { reinstallGroupId: first.reinstallGroupId },
  })
  expect((await rescan(computer)).body).toMatchObject({ alreadyPending: false })
})

test('one of twenty concurrent requests creates the scan, and all return the same group', async () => {
  const { computer } = await world.assigned(await given.package({ kind: 'InventoryScan' }))

  const results = await Promise.all(Array.from({ length: 20 }, () => rescan(computer)))

  expect(results.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(results.map(({ body }) => body.reinstallGroupId)).size).toBe(1)
  expect(results.filter(({ body }) => !body.alreadyPending)).toHaveLength(1)
  expect(await pendingOn(computer)).toHaveLength(1)
  expect(await world.workOf(computer)).toHaveLength(1)
})

test('a scan is refused without an assigned scan package, for an unknown computer, and for an unknown type', async () => {
  const { computer } = await world.assigned(await given.package({ kind: 'InventoryScan' }), await given.package())
  const before = await fingerprints(db)

  const [refused, missing] = [await rescan(computer, 'Patch'), await rescan({ id: 999_999 })]
  const mistaken = await as('scan.execute').send({
    method: 'POST',
    url: `/api/computer/${computer.id}/rescan`,
    headers: { 'content-type': 'application/json' },
    payload: '{"scanType":"Everything"}',
  })

  expect(refused).toMatchObject({
    status: 409,
    problem: 'ScanPackageNotAssigned',
    raw: { clientId: computer.id, scanType: 'Patch', message: expect.any(String) },
  })
  expect(missing).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(mistaken).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(await fingerprints(db)).toEqual(before)
})
