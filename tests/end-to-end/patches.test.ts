import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { openVendorServer } from '../../server/test/patches/vendor-server.ts'
import {
  aptLabel,
  missingTools,
  openInstallation,
  openRepository,
  type Repository,
} from '../../server/test/world/private-apt.ts'
import { type Json, type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { assignTemplate, deploymentOf, waitFor } from './deployments.ts'

const [security, ordinary] = ['muster-hello 1.1', 'muster-extra 2.1']
const catalogName = 'Hello, safely'

describe.runIf(missingTools.length === 0)(`patches ${aptLabel}`, () => {
  test('an approved patch alone is installed where its PM group is assigned, and every operation shows it', async () => {
    const vendor = await openVendorServer()
    const muster = await startMuster({ env: { MUSTER_MODE: 'development', MUSTER_PATCH_PRIVATE_HOSTS: vendor.host } })
    const { repository, securityFile } = await repositoryWithUpdates()
    const update = await readFile(securityFile)
    const url = vendor.serve('/updates/muster-hello_1.1_all.deb', (_request, response) => response.end(update))
    const product = await productName()
    await importCatalog(muster, product, { url, sha256: createHash('sha256').update(update).digest('hex') })
    const [fix, scan] = [await muster.importExample('patch-fix'), await muster.importExample('patch-scan')]
    const office = await computerIn(muster, 'office', repository, [fix, scan])
    const branch = await computerIn(muster, 'branch', repository, [fix, scan])
    const both = [office, branch]
    const running = both.map(({ agent }) => agent.run())
    const found = (computer: typeof office) => patchesOf(muster, computer.id)

    // Before a scan, nothing is known, and the fix package shows what it waits for.
    expect(await deploymentOf(muster, office.id, fix)).toMatchObject({ status: 'Pending', installationState: 'None' })
    expect((await deploymentOf(muster, office.id, fix)).errorText).toContain('first patch scan')

    // A scan finds missing patches. None is released, so none is installed.
    for (const { id } of both) await rescan(muster, id, scan)
    for (const computer of both) {
      expect(await found(computer)).toEqual({ [security]: 'Missing', [ordinary]: 'Missing' })
      expect((await deploymentOf(muster, computer.id, fix)).errorText).toContain('approval')
    }
    const patch = await patchOf(muster, office.id, catalogName)
    expect(patch).toMatchObject({ patchTypeName: 'Security patch', vrrScore: 8.5, scanStatus: 'Missing' })
    expect(await readEverywhere(muster, office.id, patch)).toEqual({
      counted: { security: 1, other: 1 },
      listed: 'Missing',
      fleet: 'Missing',
      swept: [catalogName],
    })

    // The patch is approved for its product and assigned to one computer. The next scan installs it there. Its file comes
    // from the vendor through the service: the repository lists it, but does not have it any longer.
    await rm(securityFile)
    await muster.post(`/api/patches/${patch.patchId}/approval?productId=${patch.productId}`)
    await waitFor(() => muster.get(`/api/patches/${patch.patchId}`), { fileCount: 1, storedFileCount: 1 })
    const { id: pmGroupId } = await muster.post('/api/pmgroup', { name: 'Servers, critical', category: 'Patch' })
    const listed = { patchIds: [patch.patchId], productId: patch.productId }
    await muster.post(`/api/pmgroup/${pmGroupId}/patches`, listed)
    await muster.post(`/api/pmgroup/${pmGroupId}/assignments`, { treeId: office.groupId })
    for (const { id } of both) await rescan(muster, id, scan)
    await waitFor(() => deploymentOf(muster, office.id, fix), { status: 'Success', errorText: null })

    // Only this patch is installed, and all operations agree.
    expect(office.installation.installed()).toEqual({ 'muster-hello': '1.1', 'muster-extra': '2.0' })
    expect(await found(office)).toEqual({ [security]: 'Installed', [ordinary]: 'Missing' })
    expect(await readEverywhere(muster, office.id, patch)).toEqual({
      counted: { security: 0, other: 1 },
      listed: 'Installed',
      fleet: 'Installed',
      swept: [],
    })
    // The machine itself may require a reboot, but the fix does not.
    const { rebootRequiredSource } = await muster.get(`/api/computer/${office.id}/reboot-status`)
    expect(String(rebootRequiredSource)).not.toMatch(/patch.fix/i)

    // The other computer is unchanged: the patch is approved, but not released to it.
    expect(branch.installation.installed()).toEqual({ 'muster-hello': '1.0', 'muster-extra': '2.0' })
    expect(await found(branch)).toEqual({ [security]: 'Missing', [ordinary]: 'Missing' })
    expect(await readEverywhere(muster, branch.id, patch)).toEqual({
      counted: { security: 1, other: 1 },
      listed: 'Missing',
      fleet: 'Missing',
      swept: [catalogName],
    })
    expect(await deploymentOf(muster, branch.id, fix)).toMatchObject({ status: 'Pending', installationState: 'None' })

    for (const { kill } of running) expect(await kill('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 120_000)

  test('a patch that a policy has released is rolled back when a person stops it so, and does not come back', async () => {
    const muster = await startMuster({})
    const { repository } = await repositoryWithUpdates()
    const [fix, scan] = [await muster.importExample('patch-fix'), await muster.importExample('patch-scan')]
    const { id, groupId, installation, agent } = await computerIn(muster, 'office', repository, [fix, scan])
    const versions = ['2.0', '2.1'].map((version) => ({ name: 'muster-extra', version }))
    await repository.offer('stable', versions)
    const rules = [{ name: 'Updates', action: 'Approve', titles: ['muster-extra*'], unconfirmed: true }]
    const policy = await muster.post('/api/patch-policies', { name: 'Servers', rules })
    await muster.post(`/api/patch-policies/${policy.id}/assignments`, { groupId })
    const running = agent.run()
    await rescan(muster, id, scan)
    await waitFor(() => deploymentOf(muster, id, fix), { status: 'Success', errorText: null })
    const before = installation.installed()
    const { patchId } = await patchOf(muster, id, ordinary)
    const path = `/api/patch-policies/${policy.id}/progress/${patchId}`

    await muster.post(`${path}/stop?expectedCount=1`, { rollBack: true, reason: 'It breaks the printers' })
    const rolledBack = await until(async () => {
      const { items } = await muster.get<{ items: Json[] }>(`${path}/rollbacks`)
      return items[0]?.state === 'Waiting' ? undefined : items[0]
    }, 30_000)
    await rescan(muster, id, scan)

    expect(before).toEqual({ 'muster-hello': '1.0', 'muster-extra': '2.1' })
    expect(rolledBack).toMatchObject({ clientId: id, state: 'RolledBack', message: 'Now installed: muster-extra 2.0.' })
    expect(installation.installed()).toEqual({ 'muster-hello': '1.0', 'muster-extra': '2.0' })
    expect(await patchesOf(muster, id)).toMatchObject({ [ordinary]: 'Missing' })
    const { items } = await muster.get<{ items: Json[] }>(`/api/patch-policies/${policy.id}/progress`)
    expect(items[0]).toMatchObject({ state: 'Stopped', rollback: { waiting: 0, rolledBack: 1, notRolledBack: 0 } })

    expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 120_000)
})

/** A security update for one package, and an update of another kind for the other. */
async function repositoryWithUpdates() {
  const repository = await openRepository()
  await repository.offer('stable-security', [{ name: 'muster-hello', version: '1.1' }])
  await repository.offer('stable', [
    { name: 'muster-hello', version: '1.0' },
    { name: 'muster-extra', version: '2.1' },
  ])
  return { repository, securityFile: join(repository.folder, 'pool/muster-hello_1.1_all.deb') }
}

/** The release of this machine, as the agent names it. */
async function productName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8')
  const field = (name: string) => new RegExp(`^${name}="?(.*?)"?$`, 'm').exec(text)?.[1]
  const [name, version] = [field('NAME'), field('VERSION_ID')]
  return name && version ? `${name} ${version}` : (field('PRETTY_NAME') ?? name ?? 'Linux')
}

async function importCatalog(muster: Muster, product: string, file: { url: string; sha256: string }): Promise<void> {
  const catalog = {
    format: 'muster-patch-catalog/1',
    name: 'End to end',
    version: '1',
    releasedUtc: '2026-03-12T00:00:00Z',
    patches: [
      {
        key: security,
        name: catalogName,
        patchType: 'SecurityPatch',
        vrrScore: 8.5,
        products: [{ name: product }],
        files: [file],
      },
    ],
  }
  await muster.write('catalogs/patches.json', JSON.stringify(catalog))
  const { trackingId } = await muster.post('/api/patches/import', { folderPath: 'catalogs' })
  await until(async () => {
    const { status, ...rest } = await muster.get(`/api/patches/import/${trackingId}`)
    if (status === 'Failed') throw new Error(JSON.stringify(rest))
    return status === 'Success' ? true : undefined
  })
}

/** A computer with its own group, agent and installation, on which the updates are missing. */
async function computerIn(muster: Muster, name: string, repository: Repository, packages: string[]) {
  const groupId = await muster.group(name)
  await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.01 })
  for (const packageId of packages) await muster.post(`/api/group/${groupId}/packages`, { packageId })
  const installation = await openInstallation(repository, ['stable', 'stable-security'])
  await installation.install({ name: 'muster-hello', version: '1.0' }, { name: 'muster-extra', version: '2.0' })
  const agent = await enrolAgent({
    server: muster.service.address,
    token: await muster.enrolmentToken(groupId),
    name,
    env: installation.environment,
  })
  return { id: agent.clientId, groupId, installation, agent }
}

/** Requests a patch scan and waits until it ends. */
async function rescan(muster: Muster, id: number, packageId: string): Promise<void> {
  const { reinstallGroupId } = await muster.post(`/api/computer/${id}/rescan`, { scanType: 'Patch' })
  await until(async () => {
    const { items } = await muster.get<{ items: Json[] }>(`/api/computer/${id}/software-reinstall`)
    return items.some((item) => item.reinstallGroupId === reinstallGroupId) ? undefined : true
  }, 30_000)
  await waitFor(() => deploymentOf(muster, id, packageId), { status: 'Success' })
}

type Patch = { patchId: number; productId: number; patchName: string; scanStatus: string }

async function searchPatches(muster: Muster, id: number): Promise<Patch[]> {
  return (await muster.post<{ items: Patch[] }>(`/api/computer/${id}/patches-search`)).items
}

async function patchOf(muster: Muster, id: number, name: string): Promise<Patch> {
  const patch = (await searchPatches(muster, id)).find(({ patchName }) => patchName === name)
  if (!patch) throw new Error(`${name} was not found by the scan.`)
  return patch
}

/** The result of the last scan, by the names that the scan reported. */
async function patchesOf(muster: Muster, id: number): Promise<Record<string, string>> {
  const patches = await searchPatches(muster, id)
  return Object.fromEntries(
    patches.map(({ patchName, scanStatus }) => [patchName === catalogName ? security : patchName, scanStatus]),
  )
}

type LackingComputer = { id: number; missingPatches: { patchName: string }[] }

/** The status of a patch in all operations that show it. */
async function readEverywhere(muster: Muster, id: number, { patchId }: Patch) {
  const status = await muster.get(`/api/computer/${id}/patch-status`)
  const fleet = await muster.get<{ items: Json[] }>(`/api/computer/patch-status?patchId=${patchId}`)
  const sweep = await muster.get<{ items: LackingComputer[] }>('/api/computer/issues/missing-patch')
  const lacking = sweep.items.find((computer) => computer.id === id)
  return {
    counted: { security: status.missingSecurityPatches, other: status.missingNonSecurityPatches },
    listed: (await searchPatches(muster, id)).find((one) => one.patchId === patchId)?.scanStatus,
    fleet: fleet.items.find(({ clientId }) => clientId === id)?.scanStatus,
    swept: (lacking?.missingPatches ?? []).map(({ patchName }) => patchName),
  }
}
