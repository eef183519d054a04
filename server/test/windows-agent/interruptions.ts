import { expect, test } from 'vitest'
import type { Wine } from '../../../agent/test/windows/wine.ts'
import {
  detectThere,
  type FakeServerWorld,
  openFakeServerWorld,
  quickInstall,
  slowFiles,
  slowInstall,
} from './fake-server-world.ts'
import { untilSlowly } from './windows-world.ts'

const isTrue = (value: unknown) => (value ? true : undefined)
const slowWork = { commands: { install: slowInstall, detect: detectThere }, files: slowFiles }

async function killDuringCommand({ start, left }: FakeServerWorld): Promise<void> {
  const agent = start('run')
  await untilSlowly(() => left('runs'))
  await agent.kill()
}

/** The interruptions of `agent/test/interruption.test.ts`, by the agent for Windows. */
export function testInterruptions(wine: Wine, executable: string): void {
  const open = () => openFakeServerWorld(wine, executable)

  test('an agent on Windows killed before its command started does the work when it gets it again', async () => {
    const { server, give, start, runOnce, times, journal } = await open()
    const workId = give({ commands: { install: quickInstall, detect: detectThere }, files: { f: 'content' } })
    server.interfere = ({ path }) => (path.includes('/files/') ? new Promise(() => undefined) : false)
    const agent = start('run')
    await untilSlowly(() => isTrue(server.calls.some(({ path }) => path.includes('/files/'))))
    await agent.kill()
    server.interfere = () => false

    const atOnce = await journal()
    server.endLease(workId)
    await runOnce()

    expect(atOnce).toEqual([])
    expect(times('runs')).toBe(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 2, status: 'Success', installationState: 'Installed' })
  })

  test('if the agent on Windows is killed and its command finishes, the success is reported and it does not run again', async () => {
    const world = await open()
    const { server, give, start, times, letContinue } = world
    const workId = give(slowWork)
    await killDuringCommand(world)

    const agent = start('run', '--once')
    await untilSlowly(() => isTrue(agent.output().includes('its command is still running')))
    await letContinue()
    await agent.ended

    expect(times('runs')).toBe(1)
    expect(server.results).toHaveLength(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
  })

  test('if the agent on Windows is killed together with its command, the command runs again in the same attempt', async () => {
    const world = await open()
    const { server, give, runOnce, times, letContinue, running } = world
    const workId = give(slowWork)
    await killDuringCommand(world)
    for (const pid of await running('cmd.exe')) process.kill(pid, 'SIGKILL')
    await letContinue()

    await runOnce()

    expect(times('runs')).toBe(2)
    expect(server.results).toHaveLength(1)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success', installationState: 'Installed' })
  })

  test('an agent on Windows killed between result and report reports the result first and runs nothing again', async () => {
    const { server, give, start, runOnce, times, journal } = await open()
    const workId = give({ commands: { install: quickInstall, detect: detectThere } })
    server.interfere = ({ path }) => (path.endsWith('/result') ? new Promise(() => undefined) : false)
    const agent = start('run')
    await untilSlowly(() => isTrue(server.calls.some(({ path }) => path.endsWith('/result'))))
    await agent.kill()
    server.interfere = () => false
    server.calls.length = 0

    await runOnce()

    expect(times('runs')).toBe(1)
    expect(server.calls[0]?.path).toBe(`/agent/v1/work/${workId}/result`)
    expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
    expect(await journal()).toEqual([])
  })

  test('a command on Windows that reaches its time limit ends with everything that it has started', async () => {
    const { server, give, runOnce, running } = await open()
    const install = { shell: 'start /b cmd /c slow-installer.cmd & call slow-installer.cmd', timeLimitMinutes: 0.05 }
    const workId = give({ commands: { install }, files: slowFiles })

    await runOnce()

    expect(server.resultOf(workId)).toMatchObject({ status: 'Failed' })
    expect(server.resultOf(workId)?.errorText).toContain('time limit')
    await untilSlowly(async () => isTrue((await running('cmd')).length === 0))
  })

  test('a command on Windows that outlived the agent is stopped at its time limit', async () => {
    const world = await open()
    const { server, give, runOnce, running } = world
    const install = { ...slowInstall, timeLimitMinutes: 0.05 }
    const workId = give({ commands: { install, detect: detectThere }, files: slowFiles })
    await killDuringCommand(world)
    const outliving = await running('cmd')
    server.cancel(workId)

    await runOnce()

    expect(outliving).not.toEqual([])
    await untilSlowly(async () => isTrue((await running('cmd')).length === 0))
    expect(server.results).toMatchObject([{ status: 'Failed', accepted: false, installationState: 'NotInstalled' }])
  })
}
