import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentKind } from './agent-kind.ts'
import { useRunningAgent } from './running-agent.ts'

/** What packages can rely on, whatever the operating system. The same list for each kind of agent. */
export function testCommands(kind: AgentKind): void {
  describe('with one agent that runs', () => {
    const agent = useRunningAgent(kind)
    testOrderOfCommands(kind, agent)
    testResults(kind, agent)
    testProcesses(kind, agent)
    testDetections(kind, agent)
    testSingleInstance(agent)
  })
}

type Agent = ReturnType<typeof useRunningAgent>

/** The shell of Windows prints the space before an `&`, and ends lines in its own way. */
const linesOf = (result: { output: string } | undefined) => result?.output.split('\n').map((line) => line.trimEnd())

function testOrderOfCommands({ scripts }: AgentKind, agent: Agent): void {
  const { append, remove, require, sequence } = scripts

  test('work is done in the order of the answer', async () => {
    const { results, left } = agent()

    await results(
      ...['one', 'two', 'three'].map((name) => ({ commands: { install: { shell: append(name, 'order') } } })),
    )

    expect(left('order')).toBe('one\ntwo\nthree\n')
  })

  test('each kind of work runs its own command, and an update without one installs', async () => {
    const { results, left } = agent()
    const say = (word: string) => ({ shell: append(word, 'kinds') })
    const all = { install: say('install'), update: say('update'), uninstall: say('uninstall') }

    const [, , uninstalled] = await results(
      { kind: 'Update', commands: all },
      { kind: 'Update', commands: { install: say('install') } },
      { kind: 'Uninstall', commands: all },
    )

    expect(left('kinds')).toBe('update\ninstall\nuninstall\n')
    expect(uninstalled).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
  })

  test('a reinstallation uninstalls what is present before it installs', async () => {
    const { results, left } = agent()
    const commands = {
      install: { shell: sequence(append('install', 'steps'), append('here', 'reinstalled')) },
      uninstall: { shell: sequence(append('uninstall', 'steps'), remove('reinstalled')) },
      detect: { shell: require('reinstalled') },
    }

    const found = await results({ kind: 'Reinstall', commands }, { kind: 'Reinstall', commands })

    expect(left('steps')).toBe('install\nuninstall\ninstall\n')
    for (const result of found) expect(result).toMatchObject({ status: 'Success', installationState: 'Installed' })
  })
}

function testResults({ name, scripts, until }: AgentKind, agent: Agent): void {
  const { append, exit, print, sequence, succeed } = scripts

  test('commands get variables and the name of the package, in the folder with its files', async () => {
    const { results } = agent()
    const variables = [
      'MUSTER_VAR_PRINTING_SERVER_1',
      'MUSTER_PACKAGE_NAME',
      'MUSTER_PACKAGE_VERSION',
      'MUSTER_WORK_KIND',
    ]
    const show = name === 'Windows' ? 'type "data\\file one.txt"' : 'cat "data/file one.txt"'

    const [result] = await results({
      commands: { install: { shell: sequence(...variables.map(print), show) } },
      files: { 'data/file one.txt': 'content' },
      variables: { 'Printing.server-1': 'print01' },
    })

    expect(result).toMatchObject({ status: 'Success', exitCode: 0, errorText: null, rebootRequired: false })
    expect(linesOf(result)).toEqual(['print01', 'greeting', '1.2.0', 'Install', 'content'])
  })

  test('a command that fails is reported with its code and its output', async () => {
    const shell = sequence('echo out', name === 'Windows' ? 'echo problem>&2' : 'echo problem >&2', exit(3))

    const [result] = await agent().results({ commands: { install: { shell } } })

    expect(result).toMatchObject({ status: 'Failed', installationState: null, exitCode: 3 })
    expect(linesOf(result)).toEqual(['out', 'problem', ''])
    expect(result?.errorText).toContain('exited with code 3')
  })

  test('a program that does not exist fails the work, and the next work is done', async () => {
    const [broken, next] = await agent().results(
      { commands: { install: { argv: ['no-such-program-here'] } } },
      { commands: { install: { shell: succeed } } },
    )

    expect(broken).toMatchObject({ status: 'Failed' })
    expect(next).toMatchObject({ status: 'Success' })
  })

  test('the codes of the command decide what is success', async () => {
    const install = { shell: exit(7) }

    const [failed, accepted] = await agent().results(
      { commands: { install } },
      { commands: { install: { ...install, successCodes: [0, 7] } } },
    )

    expect(failed).toMatchObject({ status: 'Failed', exitCode: 7 })
    expect(accepted).toMatchObject({ status: 'Success', exitCode: 7 })
  })

  test('the detect command decides what is installed', async () => {
    const [good, bad] = [{ shell: exit(0) }, { shell: exit(1) }]

    const [lying, failing, staying] = await agent().results(
      { commands: { install: good, detect: bad } },
      { commands: { install: bad, detect: good } },
      { kind: 'Uninstall', commands: { install: good, uninstall: good, detect: good } },
    )

    expect(lying).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
    expect(lying?.errorText).toContain('does not find the software')
    expect(failing).toMatchObject({ status: 'Failed', installationState: 'Installed' })
    expect(staying).toMatchObject({ status: 'Failed', installationState: 'Installed' })
  })

  test('a package for another operating system is not even downloaded', async () => {
    const { results, left, server } = agent()
    const other = name === 'Windows' ? 'Linux' : 'Windows'

    const [result] = await results({
      package: { operatingSystems: [other] },
      commands: { install: { shell: append('ran', 'foreign') } },
      files: { a: 'a' },
    })

    expect(result).toMatchObject({ status: 'Failed' })
    expect(result?.errorText).toContain(`The package is for ${other}`)
    expect(left('foreign')).toBeUndefined()
    expect(server.calls.some(({ path }) => path.includes(`/${result?.workId}/files/`))).toBe(false)
  })

  test('a reboot code counts as success, and the next contact reports which package needs the restart', async () => {
    const { results, server } = agent()
    const install = { shell: exit(100), rebootCodes: [100] }

    const [result] = await results({ commands: { install, detect: { shell: exit(1) } } })

    expect(result).toMatchObject({ status: 'Success', installationState: 'Installed', rebootRequired: true })
    // The system may have required a restart before.
    await until(() => server.contacts.at(-1)?.rebootRequiredSource === 'greeting 1.2.0')
    expect(server.contacts.at(-1)).toMatchObject({ rebootRequired: true })
  })
}

function testProcesses(kind: AgentKind, agent: Agent): void {
  const { append, sequence, startService, succeed, waiting } = kind.scripts

  test('after the time limit the command and everything it started are stopped', async () => {
    const { results, commands } = agent()
    // The shell in the middle ends at once, so the last program is nobody's child any more.
    const shell = sequence(startService, waiting(append('started', 'tree'), succeed).shell ?? '')

    const [result] = await results({ commands: { install: { shell, timeLimitMinutes: 0.02 } } })

    expect(result).toMatchObject({ status: 'Failed' })
    expect(result?.errorText).toContain('time limit')
    await kind.until(async () => (await commands()).length === 0)
  })

  test('a service that a command leaves running does not delay the work', async () => {
    const world = agent()
    const { commands, results } = world
    const before = Date.now()

    const [result] = await results({ commands: { install: { shell: sequence(startService, 'echo started') } } })

    const running = (await commands()).filter(kind.scripts.isService)
    for (const { pid } of running) process.kill(pid, 'SIGKILL')
    expect(result).toMatchObject({ status: 'Success', output: expect.stringMatching(/^started\r?\n$/) })
    expect(running).toHaveLength(1)
    expect(Date.now() - before).toBeLessThan(20_000)
  })

  test('work that is cancelled before its command started leaves no trace', async () => {
    const { give, server, left } = agent()
    const workId = give({ commands: { install: { shell: append('ran', 'cancelled') } } })
    server.interfere = ({ path }) => {
      if (path.endsWith(`/${workId}/progress`)) server.cancel(workId)
      return false
    }
    await kind.until(() => server.calls.some(({ path }) => path.endsWith(`/${workId}/progress`)))
    await sleep(300)
    server.interfere = () => false

    expect(left('cancelled')).toBeUndefined()
    expect(server.results.filter((result) => result.workId === workId)).toEqual([])
  })
}

function testDetections({ scripts }: AgentKind, agent: Agent): void {
  test('software is found by a file, after it was installed and after it was removed', async () => {
    const { results, pathOf } = agent()
    const [install, uninstall] = [{ shell: scripts.append('x', 'found file') }, { shell: scripts.remove('found file') }]
    const declared = { commands: { install, uninstall, detect: { file: { path: pathOf('found file') } } } }
    const lying = { commands: { install: { shell: scripts.succeed }, detect: { file: { path: pathOf('missing') } } } }

    const found = await results(
      ...(['Install', 'Reinstall', 'Uninstall'] as const).map((kind) => ({ kind, declared })),
      { declared: lying },
    )

    expect(found).toMatchObject([
      { status: 'Success', installationState: 'Installed' },
      { status: 'Success', installationState: 'Installed' },
      { status: 'Success', installationState: 'Uninstalled' },
      { status: 'Failed', installationState: 'NotInstalled', errorText: expect.stringContaining('does not find') },
    ])
  })
}

function testSingleInstance(agent: Agent): void {
  test('a second agent on the same folder is refused, and status shows that one is running', async () => {
    const world = agent()

    const second = await world.agent('run')
    const status = await world.agent('status')

    expect(second).toMatchObject({ code: 1, output: expect.stringContaining('Another agent is already running on') })
    expect(status.output).toMatch(/running: +yes/)
    expect(status.output).toMatch(/enrolled: +with http:\/\/127\.0\.0\.1:\d+ as computer 7/)
  })
}
