import { expect, test } from 'vitest'
import { diskScript } from '../../src/channels/pxe/boot-script.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { getOsDeploymentReadiness } from '../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import { openBootWorld } from '../channels/pxe/boot-world.ts'

const { as, db, given, installation } = await openBootWorld()
const [operator, reader] = [as('activation.execute', 'computer.write'), as('computer.read', 'package.read')]

/** A computer in a group that installs its operating system, which nobody has activated yet. */
async function prepared(architectures: { boot?: string; os?: string; computer?: string } = {}) {
  const one = await installation({ manifest: { architecture: architectures.boot ?? 'x64' } })
  const params = { id: one.computer.id }
  await operator.call(deactivateComputer, { params })
  const image = { file: 'images\\install.img', architecture: architectures.os ?? 'x64' }
  await db
    .updateTable('packages')
    .set({ manifest: JSON.stringify({ image }) })
    .where('id', '=', one.os.id)
    .execute()
  await db
    .updateTable('computers')
    .set({ architecture: architectures.computer ?? null })
    .where('id', '=', one.computer.id)
    .execute()
  return { ...one, params }
}

const activateForPxe = (params: { id: number }) => operator.call(activateComputer, { params, body: { pxe: true } })
const readinessOf = async (params: { id: number }) => (await reader.call(getOsDeploymentReadiness, { params })).body
const setPxeSupport = (params: { id: number }, pxeSupport: boolean) =>
  operator.call(updateComputer, { params, body: { pxeSupport } })

test('a computer that does not support PXE is neither ready nor activated nor booted', async () => {
  const { params, script, os, image } = await prepared()
  const statusOf = async (id: string) => (await reader.call(getPackageStatus, { params: { id } })).body
  expect(await readinessOf(params)).toMatchObject({ ready: true, missing: [] })
  const { trackingId } = (await activateForPxe(params)).body
  expect(await script()).toContain('/boot/files/')

  const { body } = await setPxeSupport(params, false)

  expect(body).toMatchObject({ pxeSupport: false, isPxeActive: false })
  expect(await script()).toBe(diskScript)
  expect((await reader.call(getTask, { params: { trackingId: trackingId ?? '' } })).body).toMatchObject({
    status: 2,
    actions: { items: [{ state: 'Cancelled', cancelReason: 'NoPxeSupport' }] },
  })
  expect(await readinessOf(params)).toMatchObject({ ready: false, missing: ['PxeSupport'] })
  expect(await activateForPxe(params)).toMatchObject({ status: 409, problem: 'PxeNotApplicable' })
  const explained = await reader.call(explainComputer, { params, query: { operatingSystem: true } })
  expect(explained.body).toMatchObject({ verdict: 'NotApplicable', blockers: [{ reason: 'NoPxeSupport' }] })
  for (const id of [os.id, image.packageId])
    expect(await statusOf(id)).toMatchObject({ total: 1, pending: 0, notApplicable: 1 })
  const { body: deployments } = await reader.call(listSoftwareDeployments, { params })
  expect(deployments).toMatchObject([{ status: 'Success', notApplicable: 'The computer does not support PXE.' }])
  await setPxeSupport(params, true)
  await activateForPxe(params)
  expect(await script()).toContain('/boot/files/')
})

test.each([
  [{ boot: 'arm64', computer: 'x86_64' }, ['PxeBootImageForArchitecture']],
  [{ os: 'x64', boot: 'aarch64', computer: 'ARM64' }, ['OsImageForArchitecture']],
])(
  'a boot image or operating system for another architecture is neither installed nor booted',
  async (names, missing) => {
    const { params, script, group, os } = await prepared(names)

    expect(await readinessOf(params)).toMatchObject({ ready: false, missing })
    expect(await activateForPxe(params)).toMatchObject({ status: 409, problem: 'PxeNotApplicable' })
    expect(await operator.call(activateGroup, { params: { id: group.id }, body: { pxe: true } })).toMatchObject({
      status: 409,
      problem: 'PxeNotApplicable',
    })
    expect(await script()).toBe(diskScript)
    const explained = await reader.call(explainComputer, { params, query: { packageId: os.id } })
    expect(explained.body.verdict).toBe('os' in names ? 'NotApplicable' : 'NotActivated')
  },
)

test.each([
  { boot: 'x64', os: 'AMD64', computer: 'x86_64' },
  { boot: 'x86', os: 'x64', computer: 'i686' },
  { boot: 'arm64', os: 'aarch64', computer: 'ARM64' },
  { boot: 'arm64', os: 'arm64' },
  { boot: 'x64', os: 'x64', computer: 'an architecture that nobody knows' },
])('a computer boots an image of its own or of an unknown architecture: %j', async (names) => {
  const { params, script } = await prepared(names)

  expect(await activateForPxe(params)).toMatchObject({ status: 200, body: { missing: [] } })

  expect(await script()).toContain('/boot/files/')
})

test('the activation of a group counts the computers that cannot boot, and activates the others', async () => {
  const { group, params } = await prepared()
  const other = await given.computer({ mac: '0a0b0c0d0e2f' })
  await given.member(group, other)
  await setPxeSupport({ id: other.id }, false)

  const { body } = await operator.call(activateGroup, { params: { id: group.id }, body: { pxe: true } })

  expect(body).toMatchObject({ computerCount: 2, withoutPxeBootImage: 0, pxeNotApplicable: 1 })
  expect(await readinessOf(params)).toMatchObject({ ready: true })
})
