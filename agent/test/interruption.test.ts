import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { linux } from '../src/platform/linux/index.ts'
import { bootId } from '../src/platform/linux/system-state.ts'
import type { RunningEntry } from '../src/state/journal.ts'
import { openWorld, until, type World, waiting } from './world.ts'

const detect = { shell: 'test -e "$ROOT/there"' }
const countedInstall = { shell: 'echo run >> "$ROOT/runs"; touch "$ROOT/there"' }
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ')
  return !status.includes('State:\tZ')
}

async function killDuringCommand({ start, left }: World): Promise<void> {
  const agent = start('run')
  await until(() => left('begun'))
  await agent.kill()
}

/** Ends the command, too, as the end of the whole machine would. */
async function killWithCommand(world: World): Promise<void> {
  await killDuringCommand(world)
  process.kill(-Number(world.left('begun')?.split('\n').at(0)), 'SIGKILL')
}

test('an agent killed before its command started does the work when it gets it again', async () => {
  const { server, start, runOnce, times, journal } = await openWorld()
  const workId = server.give({ commands: { install: countedInstall, detect }, files: { f: 'content' } })
  server.interfere = ({ path }) => (path.includes('/files/') ? new Promise(() => undefined) : false)
  const agent = start('run')
  await until(() => server.calls.some(({ path }) => path.includes('/files/')))
  await agent.kill()
  server.interfere = () => false

  const atOnce = await journal()
  server.endLease(workId)
  await runOnce()

  expect(atOnce).toEqual([])
  expect(times('runs')).toBe(1)
  expect(server.resultOf(workId)).toMatchObject({ attempt: 2, status: 'Success', installationState: 'Installed' })
})

test('work interrupted by an unavailable server before it started continues and is not reported as lost', async () => {
  const { server, start, times } = await openWorld()
  const [first, second] = [1, 2].map(() => server.give({ commands: { install: countedInstall, detect } }))
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

test('if the agent is killed and its command finishes, the success is reported and the command does not run again', async () => {
  const world = await openWorld()
  const { server, root, start, times } = world
  const install = waiting('echo run >> "$ROOT/runs"', 'touch "$ROOT/there"')
  const workId = server.give({ commands: { install, detect } })
  await killDuringCommand(world)

  const agent = start('run', '--once')
  await until(() => agent.output().includes('its command is still running'))
  await writeFile(join(root, 'go-on'), '')
  await agent.ended

  expect(times('runs')).toBe(1)
  expect(server.results).toHaveLength(1)
  expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
})

test('if the agent is killed together with its command, the command runs again in the same attempt', async () => {
  const world = await openWorld()
  const { server, root, runOnce, times } = world
  const workId = server.give({
    commands: { install: waiting('echo run >> "$ROOT/runs"', 'touch "$ROOT/there"'), detect },
    secrets: { key: 'secret of the command' },
  })
  await killWithCommand(world)
  await writeFile(join(root, 'go-on'), '')

  await runOnce()

  expect(times('runs')).toBe(2)
  expect(server.results).toHaveLength(1)
  expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
})

test('a command that is interrupted twice does not start a third time', async () => {
  const world = await openWorld()
  const { server, start, runOnce, times } = world
  const workId = server.give({ commands: { install: waiting('echo run >> "$ROOT/runs"', 'true'), detect } })
  await killWithCommand(world)
  const agent = start('run')
  await until(() => times('begun') === 2)
  await agent.kill()
  process.kill(-Number(world.left('begun')?.split('\n').at(1)), 'SIGKILL')

  await runOnce()

  expect(times('runs')).toBe(2)
  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
  expect(server.resultOf(workId)?.errorText).toContain('this happened twice')
})

test('interrupted work without a detect command is reported as failed, so the server decides', async () => {
  const world = await openWorld()
  const { server, runOnce, times } = world
  const workId = server.give({ commands: { install: waiting('echo run >> "$ROOT/runs"', 'true') } })
  await killWithCommand(world)

  await runOnce()

  expect(times('runs')).toBe(1)
  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', installationState: null, exitCode: null })
  expect(server.resultOf(workId)?.errorText).toContain('interrupted')
})

test('a service that the command started before the agent was killed is neither awaited nor stopped', async () => {
  const world = await openWorld()
  const { server, runOnce, left } = world
  const start = 'touch "$ROOT/there"; sleep 30 > /dev/null 2>&1 & echo $! > "$ROOT/service"'
  const workId = server.give({ commands: { install: waiting(start, 'true'), detect } })
  await killDuringCommand(world)
  process.kill(Number(left('begun')), 'SIGKILL')

  await runOnce()
  const isServing = await isRunning(Number(left('service')))
  process.kill(Number(left('service')), 'SIGKILL')

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: 'Installed' })
  expect(isServing).toBe(true)
})

test('an interrupted command is not run again while the agent is suspended', async () => {
  const world = await openWorld()
  const { server, root, agent, runOnce, times } = world
  const workId = server.give({
    commands: { install: waiting('echo run >> "$ROOT/runs"', 'touch "$ROOT/there"'), detect },
  })
  await killWithCommand(world)
  await writeFile(join(root, 'go-on'), '')
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
  const world = await openWorld()
  const { server, root, runOnce } = world
  await writeFile(join(root, 'there'), '')
  const uninstall = waiting('rm "$ROOT/there"', 'true')
  const workId = server.give({ kind: 'Uninstall', commands: { install: countedInstall, uninstall, detect } })
  await killWithCommand(world)

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
})

test('an agent killed between result and report reports the result first and runs nothing again', async () => {
  const { server, start, runOnce, times, journal } = await openWorld()
  const workId = server.give({ commands: { install: countedInstall, detect } })
  server.interfere = ({ path }) => (path.endsWith('/result') ? new Promise(() => undefined) : false)
  const agent = start('run')
  await until(() => server.calls.some(({ path }) => path.endsWith('/result')))
  await agent.kill()
  server.interfere = () => false
  server.calls.length = 0

  await runOnce()

  expect(times('runs')).toBe(1)
  expect(server.calls[0]?.path).toBe(`/agent/v1/work/${workId}/result`)
  expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(await journal()).toEqual([])
})

test('an agent killed before the server acknowledged the result reports it once more and removes it', async () => {
  const { server, start, runOnce, times, journal } = await openWorld()
  const workId = server.give({ commands: { install: countedInstall } })
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

test('a command does not start if the agent dies before writing the journal', async () => {
  const { runCommand } = await import('../src/work/run-command.ts')
  const { root, left } = await openWorld()

  const run = runCommand(linux.processes, {
    command: { shell: 'touch "$ROOT/ran"', timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] },
    folder: root,
    environment: { ...process.env, ROOT: root },
    beforeStart: async () => Promise.reject(new Error('no journal')),
  })

  await expect(run).rejects.toThrow('no journal')
  await sleep(50)
  expect(left('ran')).toBeUndefined()
})

test('a command that outlived the agent is stopped at its time limit', async () => {
  const world = await openWorld()
  const { server, runOnce } = world
  const install = { ...waiting('true', 'true'), timeLimitMinutes: 0.02 }
  const workId = server.give({ commands: { install, detect } })
  await killDuringCommand(world)
  server.cancel(workId)

  await runOnce()

  expect(await isRunning(Number(world.left('begun')))).toBe(false)
  expect(server.results).toMatchObject([{ status: 'Failed', accepted: false, installationState: 'NotInstalled' }])
})

test('a process that reuses the PID of the command is left alone', async () => {
  const { server, state, runOnce, journal } = await openWorld()
  const workId = server.give()
  await runOnce()
  await mkdir(join(state, 'journal'), { recursive: true })
  const entry: RunningEntry = {
    phase: 'running',
    workId,
    attempt: 1,
    kind: 'Install',
    runs: 1,
    step: 'install',
    isAfterUninstall: false,
    package: { packageId: '1', name: 'p', version: '1', kind: 'Software', operatingSystems: [], contentHash: '' },
    detect: null,
    signedBy: null,
    variables: {},
    folder: join(state, 'packages', 'p'),
    commandLine: 'true',
    startedUtc: new Date().toISOString(),
    deadlineUtc: new Date(0).toISOString(),
    process: { pid: process.pid, startTicks: '1', bootId: bootId() },
  }
  await writeFile(join(state, 'journal', `${workId}.json`), JSON.stringify(entry))

  const { code } = await runOnce()

  expect(code).toBe(0)
  expect(await journal()).toEqual([])
})
