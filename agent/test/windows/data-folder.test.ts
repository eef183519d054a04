import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import koffi from 'koffi'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfigurationFile } from '../../src/configuration-file.ts'
import { makeDataFolder } from '../../src/platform/windows/files.ts'
import { windows } from '../../src/platform/windows/index.ts'
import { stateFolder } from '../../src/state/state-folder.ts'

/** What Windows would answer on a computer whose %ProgramData% is this folder. */
const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
const folder = join(root, 'Muster')
const [system, user] = ['S-1-5-18', 'S-1-5-21-1004336348-1177238915-682003330-1103']
let owner = user
const events: string[] = []

type Call = (...args: never[]) => number
const calls: Record<string, Call> = {
  SHGetFolderPathW: (_window: number, _folder: number, _token: number, _flags: number, path: Buffer) => {
    path.write(`${root}\0`, 'utf16le')
    return 0
  },
  GetNamedSecurityInfoW: (_path: string, _type: number, _information: number, found: number[] | null) => {
    if (found) found[0] = 1
    return 0
  },
  ConvertSidToStringSidW: (sid: number, text: number[]) => {
    text[0] = sid
    return 1
  },
  ConvertSecurityDescriptorToStringSecurityDescriptorW: (
    _: number,
    _revision: number,
    _kind: number,
    text: number[],
  ) => {
    text[0] = 3
    return 1
  },
  ConvertStringSecurityDescriptorToSecurityDescriptorW: () => 1,
  OpenProcessToken: () => 1,
  GetTokenInformation: (_token: number, _class: number, found: Buffer) => {
    found.writeBigUInt64LE(2n)
    return 1
  },
  RegisterEventSourceW: () => 1,
  ReportEventW: (...args: unknown[]) => events.push(String(args[3])),
  K32EnumProcesses: () => 1,
  GetLastError: () => 183,
}
const texts: Record<string, () => string> = {
  1: () => owner,
  2: () => system,
  3: () => 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)',
}

beforeEach(async () => {
  vi.spyOn(koffi, 'load').mockImplementation(
    () =>
      ({
        func: (_convention: string, name: string) =>
          Object.assign((...args: never[]) => calls[name]?.(...args) ?? 0, {
            async: (...args: unknown[]) => (args.at(-1) as (error: null, result: number) => void)(null, 0),
          }),
      }) as never,
  )
  vi.spyOn(koffi.decode, 'string16').mockImplementation(((address: bigint) => texts[String(address)]?.()) as never)
  owner = user
  events.length = 0
  await mkdir(join(folder, 'versions'), { recursive: true })
  await writeFile(join(folder, 'agent.env'), 'MUSTER_AGENT_PLANTED=yes\n')
  await writeFile(join(folder, 'identity.json'), JSON.stringify({ server: 'https://planted', credential: 'agent-1.x' }))
  for (const name of ['trial', 'current']) await writeFile(join(folder, 'versions', name), 'planted')
})
afterEach(() => {
  vi.restoreAllMocks()
  // Some commands answer with it.
  process.exitCode = undefined
})
afterAll(() => rm(root, { recursive: true, force: true }))

const content = async () => (await readdir(folder, { recursive: true })).sort()

const agent = {
  loadConfiguration: () => loadConfigurationFile(windows),
  isEnrolled: async () => Boolean(await readFile(stateFolder(windows).identity)),
  enrol: async () => undefined,
  run: async () => undefined,
}

/** Commands that use nothing of the data folder, so its owner does not matter to them. */
const withoutData = ['is-version', 'is-presenting', 'user-language', 'wait-for-end']

test.each(Object.entries(windows.commands ?? {}))(
  '%s neither reads nor changes a data folder that a user has created',
  async (name, { run }) => {
    const before = await content()

    const outcome = await run([], agent).then(
      () => 'done',
      (error: Error) => error.message,
    )

    expect(await content()).toEqual(before)
    expect(process.env.MUSTER_AGENT_PLANTED).toBeUndefined()
    if (name === 'service') expect(outcome).toContain('This is not a service')
    else if (withoutData.includes(name)) expect(outcome).toBe('done')
    else expect(outcome).toContain(`${folder} belongs to the account ${user}`)
    if (['configure', 'use-installed-version'].includes(name)) expect(events).toEqual(['150'])
  },
)

test('the service, the configuration and the commands for all platforms do not use a data folder of a user either', async () => {
  await expect(makeDataFolder()).rejects.toThrow('belongs to the account')
  expect(() => loadConfigurationFile(windows)).toThrow('belongs to the account')
  expect(() => stateFolder(windows)).toThrow('belongs to the account')
  expect(process.env.MUSTER_AGENT_PLANTED).toBeUndefined()
})

/**
 * Where the path is used without the check: to compare it, to create the folder, to show its owner, to find the pipe of the agent,
 * and for the check itself.
 */
const uncheckedUsers = ['checks.ts', 'data-folder-path.ts', 'files.ts', 'own-folder.ts', 'paths.ts', 'user-channel.ts']

test('no other code of the agent finds its way to the data folder without the check', async () => {
  const sources = join(import.meta.dirname, '../../src')
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const found: string[] = []
  for (const name of names) {
    const text = await readFile(join(sources, name), 'utf8')
    if (/dataFolderPath|SHGetFolderPath|env\.(ProgramData|ALLUSERSPROFILE)/i.test(text)) found.push(name)
  }

  expect(found.sort()).toEqual(uncheckedUsers.map((name) => `platform/windows/${name}`))
})

test('a data folder of the system is used, and is checked only once', async () => {
  owner = system
  const found = windows.paths.state()
  owner = user

  expect([found, windows.paths.state()]).toEqual([folder, folder])
})
