import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assignTemplate, deploymentOf } from './deployments.ts'
import { fusionAgent, missing, whatFusionNeeds } from './fusion-agents.ts'
import { type Json, type Muster, startMuster } from './muster.ts'

test.runIf(missing === undefined)(
  `${whatFusionNeeds} enrols by one address, and its package is installed, broken, reinstalled and removed`,
  async () => {
    const muster = await startMuster()
    const groupId = await muster.group('Office')
    await assignTemplate(muster, groupId, { contactIntervalMinutes: 30 })
    const greeting = await muster.importExample('greeting')
    await muster.post(`/api/group/${groupId}/packages`, { packageId: greeting })
    const token = await muster.enrolmentToken(groupId)
    const agent = await fusionAgent(`${muster.service.address}/agent/fusion/${token}`)

    // The first run brings the inventory; only that tells which computer it is.
    await agent.run()
    const computer = await onlyComputer(muster)
    const deployment = () => deploymentOf(muster, computer, greeting)
    expect(await muster.get(`/api/computer/${computer}/uem-agent`)).toMatchObject({
      inventory: { agentKind: 'FusionInventory', platform: 'Linux' },
      pollingWindows: { intervalMinutes: 30 },
    })
    expect(await deployment()).toMatchObject({ status: 'Pending', installationState: 'None' })

    // Activated, the package is installed by the next run.
    const { trackingId } = await muster.post(`/api/group/${groupId}/activation`, { software: true })
    const log = await agent.run()
    expect(await deployment(), log).toMatchObject({
      status: 'Success',
      installationState: 'Installed',
      errorText: null,
    })
    expect(await readFile(join(agent.root, 'greeting/version'), 'utf8')).toBe('1.2.0\n')
    expect((await muster.get(`/api/tasks/${trackingId}`)).status).toBe(2)
    expect(await results(muster, computer)).toEqual(expect.arrayContaining(['Pending', 'Running', 'Success']))

    // A broken package fails with what its command printed.
    await muster.write('greeting/install.sh', 'echo the disk of the greeting is full >&2; exit 3\n')
    await muster.importFolder('greeting')
    await muster.post(`/api/computer/${computer}/software-reinstall`, { packageId: greeting })
    await agent.run()
    const failed = await deployment()
    expect(failed).toMatchObject({ status: 'Failed', errorText: 'The command ended with the code 3.' })
    const errors = await muster.get<{ items: Json[] }>(`/api/computer/${computer}/setup-error-log`)
    expect(errors.items[0]).toMatchObject({ output: expect.stringContaining('the disk of the greeting is full') })

    // Mended, the reinstall that was asked for again goes through.
    await muster.importExample('greeting')
    for (const { reinstallGroupId } of await reinstalls(muster, computer))
      await muster.delete(`/api/computer/${computer}/software-reinstall?reinstallGroupId=${reinstallGroupId}`)
    await muster.post(`/api/computer/${computer}/software-reinstall`, { packageId: greeting })
    await agent.run()
    expect(await deployment()).toMatchObject({ status: 'Success', installationState: 'Installed' })
    expect(await reinstalls(muster, computer)).toEqual([])

    // Uninstalled, it is gone.
    await muster.post(`/api/computer/${computer}/software-uninstall`, { packageId: greeting })
    await agent.run()
    expect(await deployment()).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
    await expect(readFile(join(agent.root, 'greeting/version'))).rejects.toThrow('ENOENT')
  },
  180_000,
)

async function onlyComputer(muster: Muster): Promise<number> {
  const { items } = await muster.get<{ items: { id: number; lastSeenUtc: string | null }[] }>('/api/computer')
  const seen = items.filter(({ lastSeenUtc }) => lastSeenUtc !== null)
  if (seen.length !== 1 || !seen[0]) throw new Error(`There are ${seen.length} computers that were seen, not one.`)
  return seen[0].id
}

async function results(muster: Muster, computer: number): Promise<unknown[]> {
  const { items } = await muster.get<{ items: Json[] }>(`/api/computer/${computer}/distribution-history`)
  return items.map(({ result }) => result)
}

async function reinstalls(muster: Muster, computer: number) {
  return (await muster.get<{ items: { reinstallGroupId: string }[] }>(`/api/computer/${computer}/software-reinstall`))
    .items
}
