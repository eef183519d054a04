import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { seenByWine, type Wine } from '../../agent/test/windows/wine.ts'
import { npmFile } from '../../tools/package/npm-file.ts'
import { nativeModule } from '../../tools/package/windows-executable.ts'
import { buildMsi } from '../../tools/package/windows-msi.ts'
import { installerForWine, upgrading } from './installer-for-wine.ts'
import { laterExecutable } from './self-updates.ts'
import { untilSlowly, type WindowsWorld } from './windows-world.ts'

const run = promisify(execFile)

/** An installer of another version of the agent. */
async function buildOtherInstaller(wine: Wine, executable: string, version: string): Promise<string> {
  const target = join(wine.root, 'other.msi')
  await buildMsi(target, { executable, nativeModule: await npmFile(nativeModule), version, builtAt: new Date(0) })
  return installerForWine(wine, target)
}

const eventSource = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\Muster Agent'
const uninstallKey = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

/** What Programs and Features lists. */
async function listPrograms(wine: Wine): Promise<string[]> {
  const { output } = await wine.run(['reg', 'query', uninstallKey, '/s'])
  return [...output.matchAll(/DisplayName\s+REG_SZ\s+(Muster .*?)\r?$/gm)].map(([, name = '']) => name)
}

/** The product codes of the versions of the agent. */
export async function listProducts(wine: Wine): Promise<string[]> {
  const { output } = await wine.run(['reg', 'query', uninstallKey, '/s'])
  const keys = output.split(/^HKEY_LOCAL_MACHINE/m).filter((part) => part.includes('Muster Agent'))
  return keys.flatMap((part) => /\{[\w-]+\}/.exec(part) ?? [])
}

/** The files of a folder; undefined if it does not exist. */
const contentOf = (folder: string) => readdir(folder, { recursive: true }).catch(() => undefined)

const sessionManager = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager'

/** Files that were in use during an installation are replaced at the next restart. Other tests add files of others. */
const waitsForRestart = async (wine: Wine) =>
  (await wine.run(['reg', 'query', sessionManager, '/v', 'PendingFileRenameOperations'])).output.includes('Muster')

const serviceState = async (wine: Wine) =>
  /STATE\s*: \d+\s+(\w+)/.exec((await wine.run(['sc', 'query', 'MusterAgent'])).output)?.[1]

/** How the token reaches the agent. Wine writes it into its log all the same, so the tables are tested. */
export function testHiddenToken({ agent }: WindowsWorld): void {
  test('the MSI keeps the token out of logs, and passes it on to the part that runs as SYSTEM', async () => {
    const table = async (name: string) => (await run('msiinfo', ['export', agent.installer, name])).stdout
    const [properties, actions, registry] = [
      await table('Property'),
      await table('CustomAction'),
      await table('Registry'),
    ]
    const type = Number(/^Configure\t(\d+)\t/m.exec(actions)?.[1])

    expect(/^MsiHiddenProperties\t(.*?)\r?$/m.exec(properties)?.[1]?.split(';')).toContain('TOKEN')
    expect(/^SecureCustomProperties\t(.*?)\r?$/m.exec(properties)?.[1]?.split(';')).toContain('TOKEN')
    // Deferred, as SYSTEM, without its arguments in logs.
    expect(type & 0x2c00).toBe(0x2c00)
    expect(actions.match(/TOKEN/g)).toHaveLength(1)
    expect(registry).not.toContain('TOKEN')
  })
}

/** A repair that any user can start, with other properties, runs as SYSTEM. Configuring is thus part of the first installation. */
function testPlantedProperties({ wine, state, installer }: WindowsWorld): void {
  test('a repair with properties does not configure an agent that is not enrolled yet', async () => {
    await wine.run(['msiexec', '/i', installer, '/qn'])

    const planted = ['SERVER=https://127.0.0.1:1', 'TOKEN=enrol-planted', 'REINSTALL=ALL', 'REINSTALLMODE=omus']
    const { code } = await wine.run(['msiexec', '/i', installer, ...planted, '/qn'])

    expect(code).toBe(0)
    expect(await serviceState(wine)).toBe('RUNNING')
    await expect(stat(join(state, 'agent.env'))).rejects.toThrow('ENOENT')
  })
}

/** Before the first installation: nothing of these may change the computer. */
export function testRefusedProperties({ wine, state, installer }: WindowsWorld): void {
  test.each([
    ['an address without https://', ['SERVER=muster.example.org', 'TOKEN=enrol-x']],
    ['an empty token', ['SERVER=https://muster.example.org', 'TOKEN=']],
    ['a token without an address', ['TOKEN=enrol-x']],
    ['a file of certificates that does not exist', ['SERVER=https://127.0.0.1:1', 'TOKEN=enrol-x', 'CA=C:\\none.pem']],
  ])('the MSI refuses %s, and leaves nothing behind', async (_, properties) => {
    const { code } = await wine.run(['msiexec', '/i', installer, ...properties, '/qn'])

    expect(code).not.toBe(0)
    for (const path of [state, join(wine.drive, 'Program Files/Muster')])
      await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await listPrograms(wine)).toEqual([])
  })
}

/** An installation over the one of an agent that has updated itself. */
export function testInstallationOver(world: WindowsWorld, computer: () => number): void {
  const { wine, state, server, installer, get } = world
  const install = (file: string, ...properties: string[]) =>
    wine.run(['msiexec', '/i', file, ...properties, '/qn'], upgrading)
  const identity = () => readFile(join(state, 'identity.json'), 'utf8')
  const unused = [`SERVER=${server}`, 'TOKEN=enrol-used-twice']
  let laterFile = ''

  test('the MSI of a later version replaces the earlier one, keeps the identity, and is what runs', async () => {
    const before = await identity()
    laterFile = seenByWine(await buildOtherInstaller(wine, await laterExecutable(), '0.2.0'))
    const { code } = await install(laterFile, ...unused)

    expect(code).toBe(0)
    expect(await waitsForRestart(wine)).toBe(false)
    expect(await identity()).toBe(before)
    expect(await listPrograms(wine)).toEqual(['Muster Agent'])
    expect((await wine.run([world.program, '--version'])).output.trim()).toBe('0.2.0')
    await expect(stat(join(state, 'versions/current'))).rejects.toThrow('ENOENT')
    const { items } = await get<{ items: { id: number }[] }>('/api/computer')
    expect(items.map(({ id }) => id)).toEqual([computer()])
    expect(await world.stored()).not.toContain('enrol-used-twice')
  })

  test('the service of the later version contacts the server', async () => {
    const since = new Date().toISOString()

    await untilSlowly(async () => ((await world.contactedAt(computer())) > since ? true : undefined), 200)

    expect(await serviceState(wine)).toBe('RUNNING')
  })

  test('the MSI of an earlier version is refused, and nothing changes', async () => {
    const { code } = await install(installer)

    expect(code).not.toBe(0)
    expect((await wine.run([world.program, '--version'])).output.trim()).toBe('0.2.0')
    expect(await listPrograms(wine)).toEqual(['Muster Agent'])
    expect(await serviceState(wine)).toBe('RUNNING')
  })

  test('a second installation of the same MSI changes nothing', async () => {
    const before = await identity()

    const { code } = await install(laterFile, ...unused)

    expect(code).toBe(0)
    expect(await identity()).toBe(before)
    expect(await listPrograms(wine)).toEqual(['Muster Agent'])
    expect(await world.stored()).not.toContain('enrol-used-twice')
    expect(await serviceState(wine)).toBe('RUNNING')
  })

  test('a repair brings back files that are missing, and the service runs', async () => {
    const file = join(wine.drive, 'Program Files/Muster/koffi/win32_x64/koffi.node')
    await rm(file)

    const { code } = await install(laterFile, 'REINSTALL=ALL', 'REINSTALLMODE=omus')

    expect(code).toBe(0)
    expect(await waitsForRestart(wine)).toBe(false)
    expect((await stat(file)).size).toBeGreaterThan(0)
    expect(await serviceState(wine)).toBe('RUNNING')
  })
}

/** The end of the installation, and a new one as the command of an enrolment token makes it. */
export function testRemoval(world: WindowsWorld, computer: () => number): void {
  const { wine, state, server, authority } = world
  const registry = () => readFile(join(wine.drive, '../system.reg'), 'utf8')

  test('an uninstallation removes the service, the program and everything that the agent has stored', async () => {
    const [product] = await listProducts(wine)
    // Programs that other tests have killed while they started remain under Wine, and keep their file.
    await world.killAgent('--state')

    const { code } = await wine.run(['msiexec', '/x', product ?? '', '/qn'])

    expect(code).toBe(0)
    expect(await waitsForRestart(wine)).toBe(false)
    expect(await serviceState(wine)).toBeUndefined()
    expect(await listPrograms(wine)).toEqual([])
    expect((await wine.run(['reg', 'query', eventSource])).code).not.toBe(0)
    expect(await contentOf(state)).toBeUndefined()
    expect(await contentOf(join(wine.drive, 'Program Files/Muster'))).toBeUndefined()
  })

  testPlantedProperties(world)

  test('an agent that was installed without properties is enrolled by a token in a variable', async () => {
    const { code: token } = await world.post<{ code: string }>(`/api/computer/${computer()}/re-enrolment`)
    const before = await world.contactedAt(computer())

    const enrolled = await wine.run([world.program, 'enrol', '--server', server], {
      MUSTER_AGENT_TOKEN: token,
      MUSTER_AGENT_CA: authority,
    })

    expect(enrolled.output).toContain(`is enrolled with ${server} as computer ${computer()}`)
    await untilSlowly(async () => ((await world.contactedAt(computer())) > before ? true : undefined), 200)
    expect(await world.stored()).not.toContain(token)
    expect(await registry()).not.toContain(token)
  })
}
