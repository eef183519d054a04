import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { rescanComputer } from '../../src/features/deployments/api/requests/rescan-computer.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { explainGroup } from '../../src/features/explain/api/explain-group.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { getPackagePage } from '../../src/features/fleet/api/get-package-page.ts'
import { listFailedDeploymentComputers } from '../../src/features/issues/api/list-failed-deployment-computers.ts'
import { openAgentWorld, type PackageColumns } from '../channels/agent/agent-world.ts'
import { exampleContent } from '../inventory/inventory-world.ts'

const { agent, as, given, readyPackage } = await openAgentWorld()
const [operator, reader] = [
  as('activation.execute', 'reinstall.execute', 'scan.execute'),
  as('computer.read', 'group.read', 'package.read'),
]

type System = { platform?: string | null; osName?: string | null; osVersion?: string; architecture?: string | null }

/** A computer that has reported this system, if any, in a group of its own. */
async function computerWith(system: System | null) {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  const params = { id: computer.id }
  const reportSystem = (changes: System) =>
    computer.itself.call(putInventory, {
      body: {
        sections: {
          system: {
            hash: randomBytes(32).toString('hex'),
            collectedUtc: '2026-03-14T09:00:00Z',
            item: exampleContent('system', { osEdition: null, ...changes }),
          },
        },
      },
    })
  if (system) expect((await reportSystem(system)).status).toBe(204)
  return {
    ...computer,
    group,
    reportSystem,
    activate: () => operator.call(activateComputer, { params, body: { software: true } }),
    deployments: async () => (await reader.call(listSoftwareDeployments, { params })).body,
    explain: async (packageId: string) => (await reader.call(explainComputer, { params, query: { packageId } })).body,
  }
}

async function assigned(group: { id: string }, columns: PackageColumns, kind: 'package' | 'languagePack' = 'package') {
  const made = await readyPackage(columns)
  await given.assignment(group, made, kind)
  return made
}

const linux = (osName: string, osVersion: string): System => ({ platform: 'Linux', osName, osVersion })
const windows = (osName: string): System => ({ platform: 'Windows', osName, osVersion: '10.0.26100' })

test.each([
  [['Windows'], 'Debian GNU/Linux', '12', 'Linux'],
  [['Debian 11', 'Ubuntu'], 'Debian GNU/Linux', '12', 'Linux'],
  [['Windows 10'], 'Windows 11', '10.0.26100', 'Windows'],
  [['Linux', 'macOS'], 'Windows Server 2022', '10.0.20348', 'Windows'],
])('software for %s is not applicable to a computer that runs %s %s', async (systems, osName, osVersion, platform) => {
  const computer = await computerWith({ platform, osName, osVersion })
  const { id } = await assigned(computer.group, { operating_systems: systems })
  const params = { id: computer.group.id }

  const activated = await computer.activate()

  const sentence = `It is for ${systems.join(', ')}; the computer runs ${osName}.`
  expect(activated.body.trackingId).toBeNull()
  expect((await computer.contact()).body.work).toEqual([])
  expect(await computer.deployments()).toMatchObject([
    { softwareId: id, status: 'Success', installationState: 'None', notApplicable: sentence },
  ])
  const counts = { total: 1, pending: 0, success: 0, failed: 0, notApplicable: 1 }
  expect((await reader.call(getPackageStatus, { params: { id } })).body).toMatchObject({
    ...counts,
    devices: { items: [{ id: computer.id, status: 'NotApplicable' }] },
  })
  expect((await reader.call(getPackagePage, { params: { id } })).body.status).toEqual(counts)
  const { assignments } = (await reader.call(getGroupPage, { params })).body
  expect(assignments).toMatchObject([{ objectId: id, status: counts }])
  expect(await computer.explain(id)).toMatchObject({
    verdict: 'NotApplicable',
    message: sentence,
    blockers: [{ reason: 'NotApplicable' }],
  })
  expect((await reader.call(explainGroup, { params, query: { packageId: id } })).body).toMatchObject({
    notApplicable: 1,
    nothingToDo: 0,
    notActivated: 0,
  })
})

test.each([
  [['Linux'], linux('Debian GNU/Linux', '12')],
  [['debian 12'], linux('Debian GNU/Linux', '12')],
  [['Ubuntu 22.04.3 LTS'], linux('Ubuntu', '22.04')],
  [['Debian GNU/Linux 12 (bookworm)'], linux('Debian GNU/Linux', '12')],
  [['RHEL 9'], linux('Red Hat Enterprise Linux', '9.5')],
  [['Windows 11', 'Windows 10'], windows('Windows 11')],
  [['Microsoft Windows Server 2022'], windows('Windows Server 2022')],
  [[], windows('Windows 11')],
  [['Windows'], { platform: 'Linux', osName: null }],
  [['Windows'], null],
])('software for %j is handed out to a computer with %j', async (systems, system) => {
  const computer = await computerWith(system)
  const { id } = await assigned(computer.group, { operating_systems: systems })

  await computer.activate()

  expect(await computer.deployments()).toMatchObject([{ softwareId: id, status: 'Pending', notApplicable: null }])
  expect((await computer.contact()).body.work).toMatchObject([{ package: { packageId: id } }])
})

const image = { file: 'lp.cab', language: 'fr-FR', os: 'Windows 11', osType: 'Workstation', architecture: 'x64' }

test.each([
  [{ os: 'Windows 10' }, { ...windows('Windows 11'), architecture: 'AMD64' }],
  [
    { os: 'Windows', osType: 'Server' },
    { ...windows('Windows 11'), architecture: 'AMD64' },
  ],
  [{ os: 'Windows' }, { ...windows('Windows Server 2022'), architecture: 'AMD64' }],
  [{ architecture: 'arm64' }, { ...windows('Windows 11'), architecture: 'AMD64' }],
  [{ architecture: 'x86' }, { ...windows('Windows 11'), architecture: 'x64' }],
  [{}, { ...linux('Debian GNU/Linux', '12'), architecture: 'x86_64' }],
])('a language pack for %j is not applicable to a computer with %j', async (changes, system) => {
  const computer = await computerWith(system)
  const manifest = JSON.stringify({ kind: 'languagePack', image: { ...image, ...changes } })
  const { id } = await assigned(computer.group, { kind: 'LanguagePack', manifest }, 'languagePack')

  expect((await computer.activate()).body.trackingId).toBeNull()

  expect(await computer.deployments()).toMatchObject([{ softwareId: id, notApplicable: expect.any(String) }])
  expect(await computer.explain(id)).toMatchObject({ verdict: 'NotApplicable' })
  expect((await reader.call(getPackageStatus, { params: { id } })).body).toMatchObject({ total: 1, notApplicable: 1 })
})

test('an inventory withdraws the work and the failures of packages that are for another system', async () => {
  const computer = await computerWith(null)
  const [waiting, failing] = [
    await assigned(computer.group, { operating_systems: ['Windows'] }),
    await assigned(computer.group, { operating_systems: ['macOS'] }),
  ]
  const fitting = await assigned(computer.group, { operating_systems: ['Linux'] })
  await computer.activate()
  const item = (await computer.contact()).body.work.find((one) => one.package?.packageId === failing.id)
  await computer.report(item?.workId ?? 0, { status: 'Failed' })

  await computer.reportSystem(linux('Debian GNU/Linux', '12'))

  const byPackage = new Map((await computer.deployments()).map((one) => [one.softwareId, one]))
  for (const { id } of [waiting, failing]) {
    expect(byPackage.get(id)).toMatchObject({ status: 'Success', errorText: null, notApplicable: expect.any(String) })
    expect(await computer.explain(id)).toMatchObject({
      verdict: 'NotApplicable',
      failure: null,
      cancellation: { reason: 'NotApplicable' },
    })
  }
  expect(byPackage.get(fitting.id)).toMatchObject({ status: 'Pending' })
  const failed = await reader.call(listFailedDeploymentComputers, { query: { softwareId: failing.id } })
  expect(failed.body.items).toEqual([])
})

test('an inventory that says the same about the system withdraws nothing', async () => {
  const computer = await computerWith(linux('Debian GNU/Linux', '12'))
  const { id } = await assigned(computer.group, { operating_systems: ['Debian'] })
  await computer.activate()

  await computer.reportSystem(linux('Debian GNU/Linux', '12'))

  expect((await computer.contact()).body.work).toMatchObject([{ package: { packageId: id } }])
})

test('a reinstall of a package for another system is refused', async () => {
  const computer = await computerWith(windows('Windows 11'))
  const { id: packageId } = await assigned(computer.group, { operating_systems: ['Linux'] })

  const refused = await operator.call(requestSoftwareReinstall, { params: { id: computer.id }, body: { packageId } })

  expect(refused).toMatchObject({ status: 409, problem: 'PackageNotApplicable' })
})

test('of the scan packages that are assigned to a group, each computer gets the one for its system', async () => {
  const computer = await computerWith(linux('Debian GNU/Linux', '12'))
  const params = { id: computer.id }
  const scan = { params, body: { scanType: 'Inventory' as const } }
  await assigned(computer.group, { kind: 'InventoryScan', operating_systems: ['Windows'] })
  expect(await operator.call(rescanComputer, scan)).toMatchObject({ status: 409, problem: 'ScanPackageNotAssigned' })
  const own = await assigned(computer.group, { kind: 'InventoryScan', operating_systems: ['Linux'] })

  expect((await operator.call(rescanComputer, scan)).body).toMatchObject({ softwareId: own.id })
})

test('an offer ends when the computer reports a system that the package is not for', async () => {
  const computer = await computerWith(null)
  const offered = await assigned(computer.group, { operating_systems: ['Windows'] })
  await as('group.write').call(setDistributionOptions, {
    params: { id: computer.group.id },
    query: { packageId: offered.id },
    body: { commands: ['Install', 'Optional'] },
  })
  await computer.activate()
  expect((await computer.contact()).body.offers).toMatchObject([{ packageId: offered.id }])

  await computer.reportSystem(linux('Debian GNU/Linux', '12'))

  expect((await computer.contact({ wants: [offered.id] })).body).toMatchObject({ work: [], offers: [] })
  expect(await computer.explain(offered.id)).toMatchObject({
    verdict: 'NotApplicable',
    work: null,
    cancellation: { reason: 'NotApplicable' },
  })
})
