import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { reportOsInstallation } from '../../src/channels/agent/report-os-installation.ts'
import { assignGroupPxeBootImage } from '../../src/features/assignments/api/groups/assign-group-pxe-boot-image.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { getSecurityPosture } from '../../src/features/inventory/api/get-security-posture.ts'
import { getSystemInfo } from '../../src/features/inventory/api/get-system-info.ts'
import { getComputerPatchStatus } from '../../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { exampleContent } from '../inventory/inventory-world.ts'

const { agent, as, given, readyPackage } = await openAgentWorld()
const [operator, reader] = [as('activation.execute'), as('computer.read', 'package.read')]

/** A computer in a group with an operating system, a boot image and a package. */
async function computerWithSystem() {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  const [os, boot] = [await given.osImage(), await given.pxeBootImage()]
  await given.assignment(group, os.skus[0] ?? { id: 0 }, 'osImageSku')
  await given.assignment(group, boot, 'pxeBootImage')
  const software = await readyPackage()
  await given.assignment(group, software, 'package')
  const params = { id: computer.id }
  const query = { includePreOsPackages: true }
  const deployments = async () => (await reader.call(listSoftwareDeployments, { params, query })).body
  return {
    ...computer,
    ...{ os, boot, software, group, params },
    activate: (bits: { software?: boolean; pxe?: boolean }) => operator.call(activateComputer, { params, body: bits }),
    /** Does the work that the agent gets. Returns the packages. */
    async installAll(): Promise<(string | undefined)[]> {
      const { work } = (await computer.contact()).body
      for (const { workId, attempt } of work) await computer.report(workId, { attempt, installationState: 'Installed' })
      return work.map((item) => item.package?.packageId)
    },
    finish: (status: 'Success' | 'Failed', message: string | null = null) =>
      computer.itself.call(reportOsInstallation, { body: { status, message } }),
    deploymentOf: async ({ id }: { id: string }) => (await deployments()).find(({ softwareId }) => softwareId === id),
    statusOf: async ({ id }: { id: string }) => (await reader.call(getPackageStatus, { params: { id } })).body,
  }
}

test('after the installation of an operating system, everything that the computer is activated for is due again', async () => {
  const computer = await computerWithSystem()
  await computer.activate({ software: true })
  await computer.installAll()
  await computer.activate({ pxe: true })

  await computer.finish('Success')

  expect(await computer.deploymentOf(computer.software)).toMatchObject({
    status: 'Pending',
    installationState: 'NotInstalled',
    installTime: null,
  })
  expect(await computer.statusOf(computer.software)).toMatchObject({ total: 1, pending: 1, success: 0 })
  expect(await computer.installAll()).toEqual([computer.software.id])
  expect(await computer.deploymentOf(computer.software)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
  })
  expect(await computer.installAll()).toEqual([])
})

test('a failure of the system before ends with the system', async () => {
  const computer = await computerWithSystem()
  await computer.activate({ software: true })
  const [item] = (await computer.contact()).body.work
  await computer.report(item?.workId ?? 0, { status: 'Failed' })
  await computer.activate({ pxe: true })

  await computer.finish('Success')

  expect(await computer.deploymentOf(computer.software)).toMatchObject({ status: 'Pending', errorText: null })
})

test('what the computer was never activated for waits for its activation, with the new system too', async () => {
  const computer = await computerWithSystem()
  await computer.activate({ pxe: true })

  await computer.finish('Success')

  expect(await computer.installAll()).toEqual([])
  expect(await computer.deploymentOf(computer.software)).toMatchObject({ status: 'Pending', installationState: 'None' })
  const { items } = (await reader.call(listTasks, { query: { clientId: computer.id } })).body
  expect(items).toHaveLength(1)
})

test('an installation that failed leaves everything as it was', async () => {
  const computer = await computerWithSystem()
  await computer.activate({ software: true })
  await computer.installAll()
  await computer.activate({ pxe: true })

  await computer.finish('Failed', 'The disk is too small.')

  expect(await computer.deploymentOf(computer.software)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
  })
  expect((await reader.call(getSystemInfo, { params: computer.params })).body.isOfPreviousSystem).toBe(false)
})

test('inventory, posture and patches of the system before are marked until the new one reports', async () => {
  const computer = await computerWithSystem()
  const { params, itself } = computer
  const system = { collectedUtc: '2026-03-14T09:00:00Z', item: exampleContent('system') }
  const hash = randomBytes(32).toString('hex')
  const report = async () => {
    await itself.call(putInventory, { body: { sections: { system: { hash, ...system } } } })
    await itself.call(putPatchScan, { body: { scannedUtc: new Date().toISOString(), patches: [] } })
  }
  const marks = async () => [
    (await reader.call(getSystemInfo, { params })).body.isOfPreviousSystem,
    (await reader.call(getSecurityPosture, { params })).body.isStale,
    (await reader.call(getComputerPatchStatus, { params })).body.isOfPreviousSystem,
  ]
  await report()
  const before = await marks()
  await computer.activate({ pxe: true })

  await computer.finish('Success')

  const { sections } = (await computer.contact({ sections: { system: hash } })).body
  const after = await marks()
  await report()
  expect([before, after, await marks()]).toEqual([
    [false, false, false],
    [true, true, true],
    [false, false, false],
  ])
  expect(sections).toContain('system')
})

test('packages for every system are due on a new one, until its inventory says which it is', async () => {
  const computer = await computerWithSystem()
  const report = (osName: string, platform: string) =>
    computer.itself.call(putInventory, {
      body: {
        sections: {
          system: {
            hash: randomBytes(32).toString('hex'),
            collectedUtc: '2026-03-14T09:00:00Z',
            item: exampleContent('system', { osName, platform }),
          },
        },
      },
    })
  const forWindows = await readyPackage({ operating_systems: ['Windows'] })
  await given.assignment(computer.group, forWindows, 'package')
  await report('Debian GNU/Linux', 'Linux')
  await computer.activate({ software: true, pxe: true })
  expect(await computer.deploymentOf(forWindows)).toMatchObject({ notApplicable: expect.any(String) })

  await computer.finish('Success')

  expect(await computer.deploymentOf(forWindows)).toMatchObject({ status: 'Pending', notApplicable: null })
  await report('Debian GNU/Linux', 'Linux')
  expect(await computer.deploymentOf(forWindows)).toMatchObject({
    status: 'Success',
    notApplicable: expect.any(String),
  })
  expect(await computer.installAll()).toEqual([computer.software.id])
})

test('a pending, a failed and a successful installation are among the deployments of the computer', async () => {
  const computer = await computerWithSystem()
  await computer.activate({ pxe: true })
  const pending = await computer.deploymentOf(computer.os)
  await computer.finish('Failed', 'The disk is too small.')
  const failed = await computer.deploymentOf(computer.os)
  await computer.activate({ pxe: true })
  await computer.finish('Success')

  expect(pending).toMatchObject({
    status: 'Pending',
    installationState: 'None',
    desiredMode: 'Install',
    currentMode: '',
  })
  expect(failed).toMatchObject({ status: 'Failed', desiredMode: 'Install', errorText: 'The disk is too small.' })
  expect(await computer.deploymentOf(computer.os)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
    desiredMode: 'Install',
    currentMode: 'Install',
  })
  expect(await computer.statusOf(computer.os)).toMatchObject({ total: 1, success: 1 })
  expect(await computer.statusOf({ id: computer.boot.packageId })).toMatchObject({ total: 1, success: 1, pending: 0 })
})

test('a boot image has done its part if it was booted, and not because it was assigned since', async () => {
  const computer = await computerWithSystem()
  const above = await given.group()
  await given.assignment(above, computer.boot, 'pxeBootImage')
  await as('group.write').call(moveGroup, { params: { id: computer.group.id }, body: { parentId: above.id } })
  await computer.activate({ pxe: true })
  const later = await given.pxeBootImage()
  const input = { params: { id: computer.group.id }, body: { pxeId: later.id } }
  expect((await as('group.write').call(assignGroupPxeBootImage, input)).status).toBe(201)

  await computer.finish('Success')

  expect(await computer.statusOf({ id: later.packageId })).toMatchObject({ total: 1, pending: 1 })
})

test('packages that run before the operating system run again after an installation that failed', async () => {
  const computer = await computerWithSystem()
  const layout = await readyPackage({ is_pre_os: true })
  await given.assignment(computer.group, layout, 'package')
  const runBefore = async () => {
    const { work } = (await computer.contact({ environment: 'PreOs' })).body
    for (const { workId, attempt } of work) await computer.report(workId, { attempt })
    return work.map((item) => item.package?.packageId)
  }
  await computer.activate({ pxe: true })
  expect(await runBefore()).toEqual([layout.id])
  await computer.finish('Failed')

  await computer.activate({ pxe: true })

  expect(await computer.deploymentOf(layout)).toMatchObject({ status: 'Pending' })
  expect(await runBefore()).toEqual([layout.id])
})

test('what the agent of the system before had is installed on the new one, and not uninstalled', async () => {
  const computer = await computerWithSystem()
  const setCommands = (...commands: ['Install'] | ['Uninstall']) =>
    as('group.write').call(setDistributionOptions, { params: { id: computer.group.id }, body: { commands } })
  await computer.activate({ software: true })
  await computer.installAll()
  await setCommands('Uninstall')
  await computer.activate({ software: true })
  expect((await computer.contact()).body.work).toMatchObject([{ kind: 'Uninstall' }])
  await setCommands('Install')
  await computer.activate({ pxe: true })

  await computer.finish('Success')

  expect((await computer.contact()).body.work).toMatchObject([{ kind: 'Install' }])
})

test('work with the patches that the system before lacked is cancelled with it', async () => {
  const computer = await computerWithSystem()
  const fix = await readyPackage({ kind: 'PatchFix' })
  await given.assignment(computer.group, fix, 'package')
  const product = await given.product()
  const patch = await given.patch({ products: [product], approved: true })
  await given.pmAssignment(await given.pmGroup({ patches: [{ id: patch.id, productId: product.id }] }), computer.group)
  const scanned = { key: patch.key, name: patch.key, product: product.name, status: 'Missing' as const }
  const scan = () =>
    computer.itself.call(putPatchScan, { body: { scannedUtc: new Date().toISOString(), patches: [scanned] } })
  const explained = async () =>
    (await reader.call(explainComputer, { params: computer.params, query: { packageId: fix.id } })).body
  await computer.activate({ software: true, pxe: true })
  expect((await scan()).status).toBeLessThan(300)
  expect(await explained()).toMatchObject({ work: { kind: 'Install' } })

  await computer.finish('Success')

  expect(await explained()).toMatchObject({ work: null, cancellation: { reason: 'SystemInstalled' } })
  await scan()
  expect(await explained()).toMatchObject({ work: { kind: 'Install' } })
})

test('no user is asked before an operating system is installed, whatever the options of its group say', async () => {
  const computer = await computerWithSystem()
  await as('group.write').call(setDistributionOptions, {
    params: { id: computer.group.id },
    body: { commands: ['Update', 'Optional'] },
  })
  await computer.activate({ pxe: true })

  expect(await computer.deploymentOf(computer.os)).toMatchObject({ desiredMode: 'Install', status: 'Pending' })
  await computer.finish('Success')
  expect(await computer.deploymentOf(computer.os)).toMatchObject({ desiredMode: 'Install', currentMode: 'Install' })
})
