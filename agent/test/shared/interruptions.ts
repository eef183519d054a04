import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunningEntry } from '../../src/state/journal.ts'
import { type AgentKind, type AgentWorld, killCommands } from './agent-kind.ts'

/** The agent is killed at every step of its work, and the next one continues. The same list for each kind of agent. */
export function testInterruptions(kind: AgentKind): void {
  testBeforeCommand(kind)
  testDuringCommand(kind)
  testAfterCommand(kind)
  testOutlivingCommands(kind)
}

/** The commands of most tests. Each run of an installation is counted in `runs`, and leaves `there`. */
function commandsOf({ scripts }: AgentKind) {
  const { append, sequence, succeed, waiting } = scripts
  const count = append('run', 'runs')
  const leave = append('installed', 'there')
  return {
    detect: { shell: scripts.require('there') },
    countedInstall: { shell: sequence(count, leave) },
    slowInstall: waiting(count, leave),
    /** Leaves nothing. */
    slowFailure: waiting(count, succeed),
  }
}

async function killDuringCommand({ until }: AgentKind, { start, times }: AgentWorld, run = 1): Promise<void> {
  const agent = start('run')
  await until(() => times('begun') === run)
  await agent.kill()
}

/** Ends the command, too, as the end of the whole machine would. */
async function killWithCommand(kind: AgentKind, world: AgentWorld, run = 1): Promise<void> {
  await killDuringCommand(kind, world, run)
  await killCommands(world)
}

/** Kills the agent as soon as it has sent a request. The server does not answer it, or answers to nobody. */
async function killAtRequest({ until }: AgentKind, { server, start }: AgentWorld, isMeant: (path: string) => boolean) {
  server.interfere = ({ path }) => (isMeant(path) ? new Promise(() => undefined) : false)
  const agent = start('run')
  await until(() => server.calls.some(({ path }) => isMeant(path)))
  await agent.kill()
  server.interfere = () => false
}

function testBeforeCommand(kind: AgentKind): void {
  const { open, until } = kind
  const { detect, countedInstall } = commandsOf(kind)

  test('an agent killed before its command started does the work when it gets it again', async () => {
    const world = await open()
    const { server, give, runOnce, times, journal } = world
    const workId = give({ commands: { install: countedInstall, detect }, files: { f: 'content' } })
    await killAtRequest(kind, world, (path) => path.includes('/files/'))

    const atOnce = await journal()
    server.endLease(workId)
    await runOnce()

    expect(atOnce).toEqual([])
    expect(times('runs')).toBe(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 2, status: 'Success', installationState: 'Installed' })
  })

  test('work interrupted by an unavailable server before it started continues and is not reported as lost', async () => {
    const { server, give, start, times } = await open()
    const [first, second] = [1, 2].map(() => give({ commands: { install: countedInstall, detect } }))
    let isAway = true
    server.interfere = ({ path }, answer) => {
      if (!isAway || !path.endsWith('/start')) return false
      isAway = false
      answer.writeHead(503).end()
      return true
    }

    const agent = start('run')
    await until(() => server.results.length === 2)
    await agent.kill()

    expect(times('runs')).toBe(2)
    for (const workId of [first, second]) expect(server.resultOf(workId ?? 0)).toMatchObject({ attempt: 1 })
    expect(server.contacts.map(({ emptyHanded }) => emptyHanded).slice(0, 2)).toEqual([true, false])
  })

  test('a command does not start if its entry in the journal cannot be written', async () => {
    const { server, state, give, runOnce, times } = await open()
    const workId = give({ commands: { install: countedInstall } })
    server.interfere = async ({ path }) => {
      if (path.endsWith('/start')) await mkdir(join(state, 'journal', `${workId}.json`), { recursive: true })
      return false
    }

    await runOnce()

    expect(server.calls.some(({ path }) => path.endsWith('/start'))).toBe(true)
    expect(times('runs')).toBe(0)
    expect(server.resultOf(workId)?.status).not.toBe('Success')
  })
}

function testDuringCommand(kind: AgentKind): void {
  const { open, until } = kind
  const { detect, slowInstall, slowFailure, countedInstall } = commandsOf(kind)
  const { remove, succeed, waiting } = kind.scripts

  test('if the agent is killed and its command finishes, the success is reported and the command does not run again', async () => {
    const world = await open()
    const { server, give, start, write, times } = world
    const workId = give({ commands: { install: slowInstall, detect } })
    await killDuringCommand(kind, world)

    const agent = start('run', '--once')
    await until(() => agent.output().includes('its command is still running'))
    await write('go-on')
    await agent.ended

    expect(times('runs')).toBe(1)
    expect(server.results).toHaveLength(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
  })

  test('if the agent is killed together with its command, the command runs again in the same attempt', async () => {
    const world = await open()
    const { server, give, write, runOnce, times } = world
    const workId = give({ commands: { install: slowInstall, detect }, secrets: { key: 'secret of the command' } })
    await killWithCommand(kind, world)
    await write('go-on')

    await runOnce()

    expect(times('runs')).toBe(2)
    expect(server.results).toHaveLength(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
  })

  test('a command that is interrupted twice does not start a third time', async () => {
    const world = await open()
    const { server, give, runOnce, times } = world
    const workId = give({ commands: { install: slowFailure, detect } })
    await killWithCommand(kind, world)
    await killWithCommand(kind, world, 2)

    await runOnce()

    expect(times('runs')).toBe(2)
    expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
    expect(server.resultOf(workId)?.errorText).toContain('this happened twice')
  })

  test('interrupted work without a detect command is reported as failed, so the server decides', async () => {
    const world = await open()
    const { server, give, runOnce, times } = world
    const workId = give({ commands: { install: slowFailure } })
    await killWithCommand(kind, world)

    await runOnce()

    expect(times('runs')).toBe(1)
    expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', installationState: null, exitCode: null })
    expect(server.resultOf(workId)?.errorText).toContain('interrupted')
  })

  test('an interrupted command is not run again while the agent is suspended', async () => {
    const world = await open()
    const { server, give, write, agent, runOnce, times } = world
    const workId = give({ commands: { install: slowInstall, detect } })
    await killWithCommand(kind, world)
    await write('go-on')
    await agent('suspend')
    await runOnce()
    const meanwhile = times('runs')
    await agent('resume')

    await runOnce()

    expect(meanwhile).toBe(1)
    expect(times('runs')).toBe(2)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  })

  test('an interrupted uninstallation is judged by what is left', async () => {
    const world = await open()
    const { server, give, write, runOnce } = world
    await write('there')
    const uninstall = waiting(remove('there'), succeed)
    const workId = give({ kind: 'Uninstall', commands: { install: countedInstall, uninstall, detect } })
    await killWithCommand(kind, world)

    await runOnce()

    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
  })
}

function testAfterCommand(kind: AgentKind): void {
  const { open, until } = kind
  const { detect, countedInstall } = commandsOf(kind)

  test('an agent killed between result and report reports the result first and runs nothing again', async () => {
    const world = await open()
    const { server, give, runOnce, times, journal } = world
    const workId = give({ commands: { install: countedInstall, detect } })
    await killAtRequest(kind, world, (path) => path.endsWith('/result'))
    server.calls.length = 0

    await runOnce()

    expect(times('runs')).toBe(1)
    expect(server.calls[0]?.path).toBe(`/agent/v1/work/${workId}/result`)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
    expect(await journal()).toEqual([])
  })

  test('an agent killed before the server acknowledged the result reports it once more and removes it', async () => {
    const { server, give, start, runOnce, times, journal } = await open()
    const workId = give({ commands: { install: countedInstall } })
    server.interfere = ({ path }, answer) => {
      // The usual answer is given, to nobody.
      if (path.endsWith('/result')) answer.end = () => answer
      return false
    }
    const agent = start('run')
    await until(() => server.results.length === 1)
    await agent.kill()
    server.interfere = () => false

    await runOnce()

    expect(times('runs')).toBe(1)
    expect(server.results.map(({ accepted }) => accepted)).toEqual([true, false])
    expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
    expect(await journal()).toEqual([])
  })
}

function testOutlivingCommands(kind: AgentKind): void {
  const { open, until, scripts } = kind
  const { detect, slowFailure } = commandsOf(kind)
  const { append, sequence, startService, isService, succeed, waiting } = scripts

  test('a service that the command started before the agent was killed is neither awaited nor stopped', async () => {
    const world = await open()
    const { server, give, runOnce, commands } = world
    const install = waiting(sequence(append('installed', 'there'), startService), succeed)
    const workId = give({ commands: { install, detect } })
    await killDuringCommand(kind, world)
    await killCommands(world, (process) => !isService(process))

    await runOnce()
    const serving = await commands()
    await killCommands(world)

    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: 'Installed' })
    expect(serving.filter(isService)).toHaveLength(1)
  })

  test('a command that outlived the agent is stopped at its time limit, with what it has started', async () => {
    const world = await open()
    const { server, give, runOnce, commands } = world
    const install = { ...waiting(startService, succeed), timeLimitMinutes: 0.02 }
    const workId = give({ commands: { install, detect } })
    await killDuringCommand(kind, world)
    const outliving = await commands()
    server.cancel(workId)

    await runOnce()

    expect(outliving.filter(isService)).toHaveLength(1)
    await until(async () => (await commands()).length === 0)
    expect(server.results).toMatchObject([{ status: 'Failed', accepted: false, installationState: 'NotInstalled' }])
  })

  test('a process that reuses the PID of the command is left alone', async () => {
    const world = await open()
    const { server, state, give, runOnce, commands, journal } = world
    const workId = give({ commands: { install: slowFailure } })
    await killDuringCommand(kind, world)
    const file = join(state, 'journal', `${workId}.json`)
    const entry = JSON.parse(await readFile(file, 'utf8')) as RunningEntry
    const process = { ...entry.process, startTicks: '1' }
    await writeFile(file, JSON.stringify({ ...entry, process, deadlineUtc: new Date(0).toISOString() }))

    await runOnce()
    const running = await commands()
    await killCommands(world)

    expect(running).not.toEqual([])
    expect(server.resultOf(workId)).toMatchObject({ status: 'Failed' })
    expect(await journal()).toEqual([])
  })
}
