import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Json, type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { assignTemplate, deploymentOf } from './deployments.ts'
import { fusionAgent, fusionAgentLabel, missingAgent } from './fusion-agents.ts'

test.runIf(missingAgent === undefined)(
  `${fusionAgentLabel} enrols with an address of its own, installs packages with names in any script, reinstalls and removes`,
  async () => {
    // The service knows its own machine by the name, and a real agent reports that name.
    const muster = await startMuster({ env: { MUSTER_TRUST_WEAK_MATCHES: 'on' } })
    const groupId = await muster.group('Office')
    await assignTemplate(muster, groupId, { contactIntervalMinutes: 30 })
    const greeting = await muster.importExample('greeting')
    const unicode = await importUnicode(muster)
    for (const packageId of [greeting, unicode]) await muster.post(`/api/group/${groupId}/packages`, { packageId })
    const token = await muster.enrolmentToken(groupId, 1)
    const agent = await fusionAgent(`${muster.service.address}/agent/fusion/${token}`)

    // The first run sends the inventory, which identifies the computer.
    await agent.run()
    const computer = await onlyComputer(muster)
    const deployment = () => deploymentOf(muster, computer, greeting)
    expect(await muster.get(`/api/computer/${computer}/uem-agent`)).toMatchObject({
      inventory: { agentKind: 'FusionInventory', platform: 'Linux' },
      pollingWindows: { intervalMinutes: 30 },
    })
    expect(await deployment()).toMatchObject({ status: 'Pending', installationState: 'None' })
    await requireInventory(muster, computer, await agent.inventory())

    // After activation, the next run installs the packages.
    const { trackingId } = await muster.post(`/api/group/${groupId}/activation`, { software: true })
    const log = await agent.run(...workOnly)
    expect(await deployment(), log).toMatchObject({
      status: 'Success',
      installationState: 'Installed',
      errorText: null,
    })
    expect(await readFile(join(agent.root, 'greeting/version'), 'utf8')).toBe('1.2.0\n')
    expect(await deploymentOf(muster, computer, unicode), log).toMatchObject({ status: 'Success', errorText: null })
    await requireUnicode(agent.root)
    expect((await muster.get(`/api/tasks/${trackingId}`)).status).toBe(2)
    expect(await results(muster, computer)).toEqual(expect.arrayContaining(['Pending', 'Running', 'Success']))

    // A broken package fails, with the output of its command.
    await muster.write('greeting/install.sh', 'echo the disk of the greeting is full >&2; exit 3\n')
    await muster.importFolder('greeting')
    await muster.post(`/api/computer/${computer}/software-reinstall`, { packageId: greeting })
    await agent.run(...workOnly)
    const failed = await deployment()
    expect(failed).toMatchObject({ status: 'Failed', errorText: 'The command ended with the code 3.' })
    const errors = await muster.get<{ items: Json[] }>(`/api/computer/${computer}/setup-error-log`)
    expect(errors.items[0]).toMatchObject({ output: expect.stringContaining('the disk of the greeting is full') })

    // After a repair, a new reinstall succeeds.
    await muster.importExample('greeting')
    for (const { reinstallGroupId } of await reinstalls(muster, computer))
      await muster.delete(`/api/computer/${computer}/software-reinstall?reinstallGroupId=${reinstallGroupId}`)
    await muster.post(`/api/computer/${computer}/software-reinstall`, { packageId: greeting })
    await agent.run(...workOnly)
    expect(await deployment()).toMatchObject({ status: 'Success', installationState: 'Installed' })
    expect(await reinstalls(muster, computer)).toEqual([])

    // Uninstalling removes it.
    await muster.post(`/api/computer/${computer}/software-uninstall`, { packageId: greeting })
    await agent.run(...workOnly)
    expect(await deployment()).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
    await expect(readFile(join(agent.root, 'greeting/version'))).rejects.toThrow('ENOENT')
  },
  180_000,
)

const workOnly = ['--no-task=inventory']

const city = 'Zürich größe'
const country = '日本'

/** A package with file names, a command and variables that are not ASCII. */
async function importUnicode(muster: Muster): Promise<string> {
  const variableDefinitions = [
    { name: 'City', default: city },
    { name: 'Country', default: country },
  ]
  await muster.post('/api/catalog/apply', { catalog: { variableDefinitions } })
  const target = '"$MUSTER_EXAMPLE_ROOT/größe"'
  const shell = `mkdir -p ${target} && cp größe/*.txt ${target} && echo "$MUSTER_VAR_CITY|$MUSTER_VAR_COUNTRY|$MUSTER_PACKAGE_NAME" | tee ${target}/${country}`
  const manifest = {
    ...{ name: 'größe-日本', version: '1', operatingSystems: ['Linux'], kind: 'software' },
    commands: { install: { argv: ['sh', '-c', shell] } },
  }
  await muster.write('unicode/muster-package.json', JSON.stringify(manifest))
  await muster.write('unicode/größe/Zürich.txt', 'one')
  await muster.write('unicode/größe/日本.txt', 'two')
  return muster.importFolder('unicode')
}

async function requireUnicode(root: string): Promise<void> {
  const installed = (name: string) => readFile(join(root, 'größe', name), 'utf8')
  expect(await installed('Zürich.txt')).toBe('one')
  expect(await installed('日本.txt')).toBe('two')
  expect(await installed(country)).toBe(`${city}|${country}|größe-日本\n`)
}

/** Every inventory operation returns what the agent writes about this computer to a file. */
async function requireInventory(muster: Muster, computer: number, xml: string): Promise<void> {
  const of = `/api/computer/${computer}`
  const entries = (section: string) =>
    [...xml.matchAll(new RegExp(`<${section}>(.*?)</${section}>`, 'gs'))].map(([, entry = '']) => (name: string) => {
      const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(entry) ?? []
      return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') || null
    })
  const list = async (path: string) => (await muster.get<{ items: Json[] }>(`${of}/inventory/${path}?top=1000`)).items
  const [hardware, os, bios] = [entries('HARDWARE')[0], entries('OPERATINGSYSTEM')[0], entries('BIOS')[0]]
  const software = entries('SOFTWARES').map((field) => `${field('NAME')} ${field('VERSION')}`)
  const adapters = entries('NETWORKS').filter((field) => field('VIRTUALDEV') !== '1')

  expect(
    (await list('installed-software')).map(({ productName, version }) => `${productName} ${version}`).sort(),
  ).toEqual([...new Set(software)].sort())
  expect((await list('disks')).map(({ volume }) => volume).sort()).toEqual(
    entries('DRIVES')
      .map((field) => field('TYPE'))
      .sort(),
  )
  expect((await list('network-adapters')).map(({ description }) => description).sort()).toEqual(
    [...new Set(adapters.map((field) => field('DESCRIPTION')))].sort(),
  )
  expect((await list('processors')).length).toBe(entries('CPUS').length)
  expect((await list('printers')).length).toBe(entries('PRINTERS').length)
  expect((await list('video-controllers')).length).toBe(entries('VIDEOS').length)
  expect((await list('monitors')).length).toBe(entries('MONITORS').length)
  expect(await list('services')).toEqual([])
  expect(await muster.get(`${of}/inventory/batteries`)).toHaveLength(entries('BATTERIES').length)
  expect(await muster.get(`${of}/inventory/bios`)).toMatchObject({ manufacturer: bios?.('BMANUFACTURER') ?? null })
  expect(await muster.get(`${of}/inventory/computer-system`)).toMatchObject({ model: bios?.('SMODEL') ?? null })
  expect(await muster.get(`${of}/system-info`)).toMatchObject({
    operatingSystem: os?.('FULL_NAME'),
    osVersion: os?.('VERSION'),
    memoryMb: Number(hardware?.('MEMORY')),
  })
  expect(await muster.get(`${of}/security-posture`)).toMatchObject({
    firewall: { isEnabled: entries('FIREWALL')[0]?.('STATUS') === 'on' },
  })
  expect((await muster.get(`${of}/inventory`)).disks).toHaveLength(entries('DRIVES').length)
}

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
