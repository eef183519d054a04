import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, until } from '../../server/test/database/embedded-postgres/muster.ts'
import { spawnDepot } from '../../server/test/depot-server/depot-process.ts'
import { type Json, type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { type Agent, enrolAgent } from './agents.ts'
import { assignTemplate, deploymentOf, waitFor } from './deployments.ts'

test('real agents install, reinstall and remove a package that is assigned over the API', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  const rebooted = join(await temporaryFolder(), 'rebooted')
  await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.01, rebootCommand: `echo rebooted >> ${rebooted}` })
  const depot = await startDepot(muster, groupId)
  const [greeting, scan] = [await muster.importExample('greeting'), await muster.importExample('inventory-scan')]
  await muster.post(`/api/group/${groupId}/packages`, { packageId: greeting })
  await muster.post(`/api/group/${groupId}/packages`, { packageId: scan })
  await depot.waitForSync()
  const token = await muster.enrolmentToken(groupId)
  const server = muster.service.address
  const agents = [
    await enrolAgent({ server, token, name: 'alpha' }),
    await enrolAgent({ server, token, name: 'beta' }),
  ] as const
  const [alpha, beta] = [await clientId(muster, 'alpha'), await clientId(muster, 'beta')]
  const deployment = (computer: number, packageId = greeting) => deploymentOf(muster, computer, packageId)

  // After assignment and activation, it waits for the agents.
  expect(await deployment(alpha)).toMatchObject({
    status: 'Pending',
    installationState: 'None',
    desiredMode: 'Install',
  })
  const { trackingId } = await muster.post(`/api/group/${groupId}/activation`, { software: true })
  expect(await deployment(alpha)).toMatchObject({ status: 'Pending', installationState: 'None' })
  expect(await taskStatus(muster, trackingId)).toBe(1)
  expect(await muster.get(`/api/computer/${alpha}/uem-agent`)).toMatchObject({ outOfSync: true })

  // The agents install it. Only the depot has its files.
  await rm(join(muster.store, 'greeting'), { recursive: true })
  const processes = agents.map((agent) => agent.run())
  for (const computer of [alpha, beta])
    await waitFor(() => deployment(computer), { status: 'Success', installationState: 'Installed', errorText: null })
  for (const agent of agents) expect(await installedVersion(agent)).toBe('1.2.0\n')
  await until(async () => ((await taskStatus(muster, trackingId)) === 2 ? true : undefined))
  expect(await muster.get(`/api/packages/${greeting}/status`)).toMatchObject({
    total: 2,
    success: 2,
    pending: 0,
    failed: 0,
  })
  expect(await results(muster, alpha)).toEqual(expect.arrayContaining(['Pending', 'Success']))
  await until(async () =>
    (await muster.get(`/api/computer/${alpha}/uem-agent`)).outOfSync === false ? true : undefined,
  )

  // A broken package fails, with the output of its command.
  await importBroken(muster)
  await muster.post(`/api/computer/${alpha}/software-reinstall`, { packageId: greeting })
  const failed = await waitFor(() => deployment(alpha), { status: 'Failed' })
  expect(failed.setupErrorLogEntries).not.toEqual([])
  const log = await muster.get<{ items: { output: string }[] }>(`/api/computer/${alpha}/setup-error-log`)
  expect(log.items[0]?.output).toContain('the disk of the greeting is full')

  // After a repair, a new reinstall succeeds.
  await muster.importExample('greeting')
  for (const { reinstallGroupId } of await reinstalls(muster, alpha))
    await muster.delete(`/api/computer/${alpha}/software-reinstall?reinstallGroupId=${reinstallGroupId}`)
  const { reinstallGroupId } = await muster.post(`/api/computer/${alpha}/software-reinstall`, { packageId: greeting })
  expect((await muster.get(`/api/group/${reinstallGroupId}`)).id).toBe(reinstallGroupId)
  await waitFor(() => deployment(alpha), { status: 'Success', installationState: 'Installed' })
  await until(async () => ((await reinstalls(muster, alpha)).length === 0 ? true : undefined))

  // A rescan runs the scan package again and sends the inventory.
  await muster.post(`/api/computer/${alpha}/rescan`, { scanType: 'Inventory' })
  await waitFor(() => deployment(alpha, scan), { status: 'Success' })
  await until(async () => ((await muster.get(`/api/computer/${alpha}`)).inventoryDate !== null ? true : undefined))

  // A reboot request runs the reboot command.
  await muster.post(`/api/computer/${beta}/reboot`)
  await until(async () => ((await readFile(rebooted, 'utf8').catch(() => '')) === 'rebooted\n' ? true : undefined))

  // Uninstalling removes it from this computer, and the assignment stays.
  await muster.post(`/api/computer/${alpha}/software-uninstall`, { packageId: greeting })
  await waitFor(() => deployment(alpha), {
    status: 'Success',
    installationState: 'Uninstalled',
    desiredMode: 'Uninstall',
  })
  expect(await deployment(beta)).toMatchObject({ installationState: 'Installed', desiredMode: 'Uninstall' })
  await expect(installedVersion(agents[0])).rejects.toThrow('ENOENT')

  for (const running of processes) expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}, 120_000)

async function startDepot(muster: Muster, groupId: string) {
  const { id } = await muster.post('/api/computer', {
    name: 'depot',
    domain: 'example.org',
    isDomain: true,
    macAddress: '02:00:00:00:00:01',
  })
  const computerRoles = [{ name: 'depot', domain: 'example.org', role: 'DepotServer' }]
  await muster.post('/api/catalog/apply', { catalog: { computerRoles } })
  const { credential } = await muster.post(`/api/depots/${id}/credential`)
  const { output } = spawnDepot({
    MUSTER_DEPOT_MASTER: muster.service.address,
    MUSTER_DEPOT_CREDENTIAL: String(credential),
    MUSTER_DEPOT_DIR: await temporaryFolder(),
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '1',
    MUSTER_PORT: '0',
  })
  await muster.put(`/api/group/${groupId}/depot-servers`, { depotServers: [id] })
  return {
    output,
    async waitForSync() {
      await muster.post('/api/system/sync-jobs', { depotClientIds: [id] })
      await until(async () => {
        const { items } = await muster.get<{ items: Json[] }>('/api/system/sync-jobs')
        return items[0]?.trigger === 'Manual' && items[0].status === 'Success' ? true : undefined
      })
    },
  }
}

async function clientId(muster: Muster, hostname: string): Promise<number> {
  const { items } = await muster.post<{ items: { id: number }[] }>('/api/computer/search', { hostname })
  if (!items[0]) throw new Error(`${hostname} is not known`)
  return items[0].id
}

const taskStatus = async (muster: Muster, trackingId: unknown) => (await muster.get(`/api/tasks/${trackingId}`)).status

async function results(muster: Muster, computer: number): Promise<unknown[]> {
  const { items } = await muster.get<{ items: Json[] }>(`/api/computer/${computer}/distribution-history`)
  return items.map(({ result }) => result)
}

async function reinstalls(muster: Muster, computer: number) {
  return (await muster.get<{ items: { reinstallGroupId: string }[] }>(`/api/computer/${computer}/software-reinstall`))
    .items
}

const installedVersion = (agent: Agent) => readFile(join(agent.root, 'greeting/version'), 'utf8')

async function importBroken(muster: Muster): Promise<void> {
  await muster.importExample('greeting')
  await muster.write('greeting/install.sh', 'echo the disk of the greeting is full >&2; exit 3\n')
  await muster.importFolder('greeting')
}
