import { expect, test } from 'vitest'
import { diskScript } from '../../src/channels/pxe/boot-script.ts'
import { assignGroupOsImageSku } from '../../src/features/assignments/api/groups/assign-group-os-image-sku.ts'
import { assignGroupPxeBootImage } from '../../src/features/assignments/api/groups/assign-group-pxe-boot-image.ts'
import { removeGroupPxeBootImage } from '../../src/features/assignments/api/groups/remove-group-pxe-boot-image.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { openBootWorld, tokenIn } from '../channels/pxe/boot-world.ts'

const { app, as, given, installation, storeFiles } = await openBootWorld()
const [operator, writer, reader] = [as('activation.execute'), as('group.write'), as('computer.read')]

/** A computer in a group that installs its operating system, activated for PXE over the API. */
async function activatedForPxe() {
  const one = await installation()
  const params = { id: one.computer.id }
  await operator.call(deactivateComputer, { params })
  const { body } = await operator.call(activateComputer, { params, body: { pxe: true } })
  return { ...one, params, trackingId: body.trackingId ?? '' }
}

type Activated = Awaited<ReturnType<typeof activatedForPxe>>

const isPxeActive = async ({ params }: Activated) => (await reader.call(getComputer, { params })).body.isPxeActive
const taskOf = async ({ trackingId }: Activated) => (await reader.call(getTask, { params: { trackingId } })).body
const leave = ({ group, computer }: Activated) =>
  writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds: [computer.id] } })
const join = (group: { id: string }, { computer }: Activated) =>
  writer.call(addGroupComputers, { params: { id: group.id }, body: { computerIds: [computer.id] } })

test('a computer that leaves the group for which it was activated is not installed, whichever group it joins', async () => {
  const [one, production] = [await activatedForPxe(), await installation()]
  expect(await one.script()).toContain('/boot/files/')

  await leave(one)

  expect(await isPxeActive(one)).toBe(false)
  expect(await taskOf(one)).toMatchObject({
    status: 2,
    actions: { items: [{ kind: 'OperatingSystem', state: 'Cancelled', cancelReason: 'LeftGroup' }] },
  })
  await join(production.group, one)
  expect(await isPxeActive(one)).toBe(false)
  expect(await one.script()).toBe(diskScript)
})

test('an activation for PXE does not survive in other groups of the computer', async () => {
  const one = await installation()
  const other = await given.group({ tree: 'AssignmentGroups' })
  await given.member(other, one.computer)
  const preparation = await given.package({ is_pre_os: true })
  await given.assignment(other, preparation, 'package')
  const params = { id: one.computer.id }
  await operator.call(deactivateComputer, { params })
  const { body } = await operator.call(activateComputer, { params, body: { pxe: true } })
  const pending = { ...one, params, trackingId: body.trackingId ?? '' }

  await leave(pending)

  expect(await isPxeActive(pending)).toBe(false)
  expect(await taskOf(pending)).toMatchObject({ status: 2, cancelled: 2 })
})

test('a boot script that was fetched before proves nothing after the computer has left the group', async () => {
  const one = await activatedForPxe()
  const token = tokenIn(await one.script())

  await leave(one)
  await join(one.group, one)
  await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
  const payload = { status: 'Success' }
  await app.http.inject({ method: 'POST', url: `/boot/report/${token}`, payload })

  expect(await isPxeActive(one)).toBe(true)
  expect(await one.script()).toContain('/boot/files/')
})

test('without a boot image, the installation is cancelled, and a new one waits for the next activation', async () => {
  const one = await activatedForPxe()

  await writer.call(removeGroupPxeBootImage, { params: { id: one.group.id, pxeId: one.image.id } })
  expect(await taskOf(one)).toMatchObject({
    status: 2,
    actions: { items: [{ state: 'Cancelled', cancelReason: 'Unassigned' }] },
  })
  await given.assignment(one.group, one.image, 'pxeBootImage')

  expect(await one.script()).toBe(diskScript)
  await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
  expect(await one.script()).toContain('/boot/files/')
})

test('a computer installs only the operating system for which it was activated', async () => {
  const one = await activatedForPxe()
  const other = await given.osImage({ manifest: JSON.stringify({ image: { file: 'images\\install.img' } }) })
  await storeFiles(other, { 'images/install.img': 'another operating system' })
  const [sku] = other.skus

  const body = { packageId: other.id, skuId: sku?.id ?? 0 }
  expect((await writer.call(assignGroupOsImageSku, { params: { id: one.group.id }, body })).status).toBe(201)

  expect(await taskOf(one)).toMatchObject({ actions: { items: [{ state: 'Cancelled' }] } })
  expect(await one.script()).toBe(diskScript)
  await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
  expect(await one.script()).toContain('/boot/files/')
})

/** What was exchanged after an activation for PXE, each with a group of its own that assigns another object. */
const exchanges: Record<string, (one: Activated, group: { id: string }) => Promise<{ status: number }>> = {
  'boot image': async (_one, group) => {
    const other = await given.pxeBootImage({
      manifest: JSON.stringify({ boot: { kernel: 'other', architecture: 'x64' } }),
    })
    await storeFiles({ id: other.packageId, name: other.name }, { other: 'another kernel' })
    return writer.call(assignGroupPxeBootImage, { params: { id: group.id }, body: { pxeId: other.id } })
  },
  edition: async ({ os }, group) => {
    const skuId = os.skus[1]?.id ?? 0
    return writer.call(assignGroupOsImageSku, { params: { id: group.id }, body: { packageId: os.id, skuId } })
  },
}

test.each(Object.entries(exchanges))(
  'a computer is not installed with another %s than the one with which it was activated',
  async (_name, exchange) => {
    const one = await activatedForPxe()

    expect((await exchange(one, one.group)).status).toBe(201)

    expect(await taskOf(one)).toMatchObject({
      actions: { items: [{ state: 'Cancelled', cancelReason: 'Unassigned' }] },
    })
    expect(await one.script()).toBe(diskScript)
    await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
    expect(await one.script()).toContain('/boot/files/')
  },
)

test.each(Object.entries(exchanges))(
  'another %s that comes nearer keeps the computer from booting until it is activated again',
  async (_name, exchange) => {
    const one = await activatedForPxe()
    const above = await given.group()
    await writer.call(moveGroup, { params: { id: one.group.id }, body: { parentId: above.id } })
    for (const kind of ['pxeBootImage', 'osImageSku'] as const)
      await given.assignment(above, kind === 'pxeBootImage' ? one.image : (one.os.skus[0] ?? one.image), kind)
    const installation = `/boot/installation/${tokenIn(await one.script())}`

    expect((await exchange(one, one.group)).status).toBe(201)

    expect(await one.script()).toBe(diskScript)
    expect((await app.http.inject({ url: installation })).statusCode).toBe(200)
    await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
    expect(await one.script()).toContain('/boot/files/')
    expect((await app.http.inject({ url: installation })).statusCode).toBe(404)
  },
)

test.each(Object.entries(exchanges))(
  'an installer that was booted with another %s than the present one does not end the installation',
  async (_name, exchange) => {
    const one = await activatedForPxe()
    const token = tokenIn(await one.script())
    const above = await given.group()
    await writer.call(moveGroup, { params: { id: one.group.id }, body: { parentId: above.id } })
    for (const kind of ['pxeBootImage', 'osImageSku'] as const)
      await given.assignment(above, kind === 'pxeBootImage' ? one.image : (one.os.skus[0] ?? one.image), kind)
    await exchange(one, one.group)
    const again = await operator.call(activateComputer, { params: one.params, body: { pxe: true } })
    const now = { ...one, trackingId: again.body.trackingId ?? '' }

    const payload = { status: 'Success' }
    expect((await app.http.inject({ method: 'POST', url: `/boot/report/${token}`, payload })).statusCode).toBe(204)

    expect(await taskOf(now)).toMatchObject({ status: 1 })
    expect(await one.script()).toContain('/boot/files/')
  },
)
