import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GivenWork } from '../../agent/test/given-work.ts'
import type { TestProcess } from '../../agent/test/remaining-processes.ts'
import type { AgentKind } from '../../agent/test/shared/agent-kind.ts'
import { useRunningAgent } from '../../agent/test/shared/running-agent.ts'
import { isProgram } from '../../agent/test/windows/windows-kind.ts'
import { seenByWine, type Wine } from '../../agent/test/windows/wine.ts'
import { npmFile } from '../../tools/package/npm-file.ts'
import { nodeForWindows } from '../../tools/package/windows-executable.ts'
import { listProducts } from './installer.ts'

type Detection = NonNullable<NonNullable<GivenWork['declared']>['commands']>[string]

/** What only packages for Windows use: the rules of its command lines, its registry, its versions. */
export function testWindowsOnly(kind: AgentKind, wine: Wine): void {
  describe('with one agent that runs', () => {
    const agent = useRunningAgent(kind)
    testCommandLines(agent)
    testTrees(kind, agent)
    testDetections(agent, wine)
  })
  testFolderOfOthers(kind)
  testNativeModule(wine)
}

type Agent = ReturnType<typeof useRunningAgent>

/** Writes the words that it got to a file, because Node cannot write to a pipe under Wine. */
const writeWords = 'require("fs").writeFileSync(process.env.ROOT + "/words", JSON.stringify(process.argv.slice(1)))'

function testCommandLines(agent: Agent): void {
  test('a program gets the words of argv as they are: spaces, quotation marks, backslashes, umlauts, nothing', async () => {
    const node = seenByWine(await npmFile(nodeForWindows))
    const words = ['two  words', 'a "quoted" word', 'C:\\ends with\\', '\\"', 'Prüfung größer', '%ROOT%', 'a&b|c^d', '']
    const { results, left } = agent()

    const [result] = await results({ commands: { install: { argv: [node, '-e', writeWords, ...words] } } })

    expect(result).toMatchObject({ status: 'Success', exitCode: 0 })
    expect(JSON.parse(left('words') ?? '')).toEqual(words)
  })

  test('a line of the shell keeps its quotation marks, and what it prints arrives with its umlauts', async () => {
    const shell = 'echo "two  words" & echo Prüfung größer: äöü ÄÖÜ ß'

    const [result] = await agent().results({ commands: { install: { shell } } })

    expect(result?.output.split('\r\n').map((line) => line.trim())).toEqual([
      '"two  words"',
      'Prüfung größer: äöü ÄÖÜ ß',
      '',
    ])
  })

  test('files of a package can have spaces and umlauts in their names', async () => {
    const [result] = await agent().results({
      commands: { install: { shell: 'type "Übersicht 1\\größe ä.txt"' } },
      files: { 'Übersicht 1/größe ä.txt': 'found' },
    })

    expect(result).toMatchObject({ status: 'Success', output: 'found' })
  })

  test('the codes with which installers ask for a restart are known as such if the package lists them', async () => {
    const given = (code: number) => ({ commands: { install: { shell: `exit ${code}`, rebootCodes: [3010, 1641] } } })

    const found = await agent().results(given(3010), given(1641), given(1603))

    // With the texts so that a failure says why.
    expect(found).toMatchObject([
      { status: 'Success', exitCode: 3010, rebootRequired: true, errorText: null },
      { status: 'Success', exitCode: 1641, rebootRequired: true, errorText: null },
      { status: 'Failed', exitCode: 1603, rebootRequired: false, errorText: 'The command exited with code 1603.' },
    ])
  })
}

function testTrees({ until }: AgentKind, agent: Agent): void {
  test('the time limit ends also a program that a detached program has started', async () => {
    const { results, commands } = agent()
    const isLast = (process: TestProcess) => isProgram(process, 'ping', '301')
    // Both would run for longer than the test waits for their end.
    const shell = 'start "" /b cmd /c start "" /b ping -n 301 127.0.0.1 >nul & ping -n 300 127.0.0.1 >nul'
    const ended = results({ commands: { install: { shell, timeLimitMinutes: 0.1 } } })
    await until(async () => (await commands()).some(isLast))

    const [result] = await ended

    expect(result).toMatchObject({ status: 'Failed', errorText: expect.stringContaining('time limit') })
    await until(async () => (await commands()).length === 0)
  })
}

const key = 'HKLM\\SOFTWARE\\Muster test'

function testDetections(agent: Agent, wine: Wine): void {
  /** Which of the declared forms find something. Each is the detection of a package whose installation does nothing. */
  async function findings(...forms: Partial<Detection>[]): Promise<boolean[]> {
    const found = await agent().results(
      ...forms.map((detect) => ({ declared: { commands: { install: { shell: 'ver >nul' }, detect } } })),
    )
    return found.map(({ installationState }) => installationState === 'Installed')
  }

  test('software is found by a registry key in the view that the package states, and not in the other', async () => {
    for (const [view, version] of Object.entries({ 32: '1.9', 64: '1.10' }))
      await wine.run(['reg', 'add', key, '/v', 'Version', '/d', version, '/f', `/reg:${view}`])
    await wine.run(['reg', 'add', `${key}\\Only 32`, '/f', '/reg:32'])
    const registry = (view: '32' | '64', more: object = {}) => ({ registry: { key, view, ...more } })
    const inView = (view: '32' | '64') => ({ registry: { key: `${key}\\Only 32`, view } })

    expect(await findings(inView('32'), inView('64'))).toEqual([true, false])
    expect(
      await findings(
        registry('32', { value: 'Version', equals: '1.9' }),
        registry('64', { value: 'Version', equals: '1.9' }),
        registry('32', { value: 'Version', minVersion: '1.10' }),
        registry('64', { value: 'Version', minVersion: '1.10' }),
        registry('64', { value: 'Missing' }),
      ),
    ).toEqual([true, false, false, true, false])
  })

  test('software is found by the version of a file, and by a product code with its version', async () => {
    const file = (more: object) => ({ file: { path: '%ProgramFiles%\\Muster\\muster-agent.exe', ...more } })
    const [productCode = ''] = await listProducts(wine)
    const msi = (more: object = {}) => ({ msi: { productCode, ...more } })
    const foreign = { msi: { productCode: '{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B1FFF}' } }

    expect(await findings(file({}), file({ minVersion: '22.0' }), file({ minVersion: '99.0' }))).toEqual([
      true,
      true,
      false,
    ])
    expect(await findings(msi(), msi({ minVersion: '0.1' }), msi({ minVersion: '99' }), foreign)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
}

const isRoot = process.getuid?.() === 0
const without = isRoot ? '' : ' (not run: only root can give a folder to another account)'

function testFolderOfOthers(kind: AgentKind): void {
  test.skipIf(!isRoot)(`a state folder that belongs to another account is refused${without}`, async () => {
    const { state, runOnce, server } = await kind.open()
    // Wine shows the owner of a folder as the account that runs it, or as another one.
    await chown(state, 12_345, 12_345)

    const { code, output } = await runOnce()

    expect(code).toBe(1)
    expect(output).toMatch(/state belongs to the account S-1-/)
    expect(server.calls).toEqual([])
  })
}

function testNativeModule(wine: Wine): void {
  test('a native module that cannot be beside the program is in the profile of the account, not among temporary files', async () => {
    const folder = join(wine.drive, 'portable')
    await mkdir(folder)
    await copyFile(join(wine.drive, 'Program Files/Muster/muster-agent.exe'), join(folder, 'muster-agent.exe'))
    // A file in the place of the folder for the module.
    await writeFile(join(folder, 'koffi'), '')

    const { code } = await wine.run(['C:\\portable\\muster-agent.exe', 'is-presenting'])

    expect(code).toBe(0)
    // With types, because otherwise links would be followed, and some lead to a folder above.
    const entries = await readdir(wine.drive, { recursive: true, withFileTypes: true })
    const modules = entries
      .filter(({ name }) => name === 'koffi.node')
      .map(({ parentPath, name }) => relative(wine.drive, join(parentPath, name)))
      .filter((path) => !path.startsWith('Program'))
    expect(modules).toEqual([
      expect.stringMatching(/^users\/[^/]+\/AppData\/Local\/Muster\/koffi\/win32_x64\/koffi\.node$/),
    ])
  })
}
