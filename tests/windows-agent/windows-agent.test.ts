import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { testCommands } from '../../agent/test/shared/commands.ts'
import { testInterruptions } from '../../agent/test/shared/interruptions.ts'
import { testTrust } from '../../agent/test/shared/trust.ts'
import { windowsKind } from '../../agent/test/windows/windows-kind.ts'
import { findReasonAgainstWine } from '../../agent/test/windows/wine.ts'
import { inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { servePages } from '../../server/test/web/in-browser/open-pages.ts'
import { beginFileJourney } from '../end-to-end/file-journey.ts'
import { testHiddenToken, testInstallationOver, testRefusedProperties, testRemoval } from './installer.ts'
import { testInventory } from './inventory-tests.ts'
import { testMsiPackages } from './msi-packages.ts'
import { buildGreetingMsi } from './package-msi.ts'
import { testSelfUpdates } from './self-updates.ts'
import { testServiceStop } from './service-stop.ts'
import { testUsers } from './user-tests.ts'
import { testWindowsOnly } from './windows-only.ts'
import { openWindowsWorld, untilSlowly } from './windows-world.ts'

const reason = findReasonAgainstWine()
if (reason) console.warn(`The agent for Windows is not tested: ${reason}.`)

describe.skipIf(reason)('the agent for Windows', { timeout: 120_000 }, async () => {
  if (reason) return
  const world = await openWindowsWorld()
  const { wine, agent, installer, server, authority, get, post, log, stored } = world
  const pages = await servePages(world)
  const groupId = await world.group('Windows')
  const installedFile = join(wine.drive, 'Program Files/Greeting/greeting.txt')
  let computer = 0

  testHiddenToken(world)

  testRefusedProperties(world)

  test('the MSI installs a service that enrols the computer over HTTPS and contacts the server', async () => {
    await world.assignTemplate(groupId, { contactIntervalMinutes: 0.02 })
    const { token } = await post<{ token: string }>('/api/enrolment-tokens', {
      groupId,
      expiresAtUtc: '2099-01-01T00:00:00.000Z',
    })

    const properties = [`SERVER=${server}`, `TOKEN=${token}`, `CA=${authority}`]
    const { code } = await wine.run(['msiexec', '/i', installer, ...properties, '/qn'])

    expect(code).toBe(0)
    computer = await untilSlowly(async () => {
      const { items } = await get<{ items: { id: number; inventoryDate: string | null }[] }>('/api/computer')
      return items.find(({ inventoryDate }) => inventoryDate !== null)?.id
    })
    expect(await stored()).not.toContain(token)
    expect(await readFile(join(wine.drive, '../system.reg'), 'utf8')).not.toContain(token)
    expect(await log()).toContain('is running for')
  })

  test('the inventory that arrives names the services that Windows itself lists', async () => {
    const { output } = await wine.run(['net', 'start'])
    const listed = [...output.matchAll(/^ {4}(.+?)\s*$/gm)].map(([, name = '']) => name)
    expect(listed).toContain('Muster Agent')

    // Windows starts services when they are needed: some of them did not run at the first inventory.
    await post(`/api/computer/${computer}/activation`, { pull: true })
    await untilSlowly(async () => {
      const { items } = await get<{ items: { displayName: string; status: string }[] }>(
        `/api/computer/${computer}/inventory/services?top=200`,
      )
      const running = items.filter(({ status }) => status === 'Running').map(({ displayName }) => displayName)
      return listed.every((name) => running.includes(name)) || undefined
    })
  })

  inBrowser('an MSI file that is dropped on the console is installed, detected, updated and removed', async () => {
    const file = join(wine.root, 'Greeting Setup.msi')
    await writeFile(file, await buildGreetingMsi('1.0.0'))
    const { page } = await pages.visit()
    const journey = beginFileJourney(page)
    const installed = { status: 'Success', installationState: 'Installed' }

    const proposal = await journey.drop(file, 'Greeting Setup.msi')
    expect(await proposal.getByLabel('Version', { exact: true }).inputValue()).toBe('1.0.0')
    await screenshot(page, 'proposal-msi')
    await journey.release()
    await journey.deploy('Windows')
    const { items } = await get<{ items: { id: string }[] }>('/api/fleet/packages?search=greeting')
    await world.waitForDeployment(computer, items[0]?.id ?? '', installed)
    journey.report('an MSI file')
    expect(await readFile(installedFile, 'utf8')).toBe('1.0.0')

    const second = await world.importMsi('greeting', '2.0.0', await buildGreetingMsi('2.0.0'))
    await post(`/api/group/${groupId}/packages`, { packageId: second })
    await post(`/api/group/${groupId}/activation`, { software: true })
    await world.waitForDeployment(computer, second, installed)
    expect(await readFile(installedFile, 'utf8')).toBe('2.0.0')
    await post(`/api/computer/${computer}/software-uninstall`, { packageId: second })
    await world.waitForDeployment(computer, second, { installationState: 'Uninstalled' })
    // The state is what the agent has detected by the product code. The first version, still assigned, is due again.
    expect(await log()).toContain('msiexec /x {5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1002}')
  })

  describe('inventory', () => testInventory(wine, agent.executable))

  // The inventory is the last that needs volumes, and from here on, tests kill programs.
  describe('without volumes', () => {
    beforeAll(() => wine.endVolumes())

    describe('updated', () => testSelfUpdates(world, groupId, () => computer))

    describe('installed again', () => testInstallationOver(world, () => computer))

    describe('stopped', () => testServiceStop(world, groupId, () => computer))

    // From here on with the installed program, beside the service, and the same lists of tests as the agent for Linux.
    const kind = windowsKind(wine, world.program)

    describe('interrupted', () => testInterruptions(kind))

    describe('running commands', () => testCommands(kind))

    describe('with depots and keys', () => testTrust(kind))

    describe('with MSI packages', () => testMsiPackages(kind, wine.drive))

    describe('with users', () => testUsers(kind, wine, world.program))

    describe('with what only Windows has', () => testWindowsOnly(kind, wine))

    testRemoval(world, () => computer)
  })
})
