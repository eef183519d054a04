import { expect, test } from 'vitest'
import type { AgentKind } from './agent-kind.ts'

const reboot = { action: 'Reboot', timeoutMinutes: -1, reminderMinutes: 10 } as const
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** An agent whose power command adds the action to a file. */
async function openWithPower({ open }: AgentKind) {
  const world = await open()
  return { ...world, powerActions: () => world.left('power')?.trim().split('\n') ?? [] }
}

/** Restarts, their suspension and their postponement, the same on all platforms. */
export function testPower(kind: AgentKind): void {
  test('a restart is reported before its command runs, and happens once', async () => {
    const { server, agent, powerActions, journal } = await openWithPower(kind)
    const workId = server.give({ kind: 'Power', power: reboot })
    let before: string[] | undefined
    server.interfere = ({ path }) => {
      if (path.endsWith('/result')) before = powerActions()
      return false
    }

    await agent('run', '--once')
    await agent('run', '--once')

    expect(before).toEqual([])
    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: null })
    expect(powerActions()).toEqual(['Reboot'])
    expect(await journal()).toEqual([])
  })

  test('a restart that could not be reported waits until the server has the result', async () => {
    const { server, start, agent, powerActions } = await openWithPower(kind)
    server.give({ kind: 'Power', power: { ...reboot, action: 'Shutdown' } })
    server.interfere = ({ path }) => (path.endsWith('/result') ? new Promise(() => undefined) : false)
    const killed = start('run')
    await kind.until(() => server.calls.some(({ path }) => path.endsWith('/result')))
    await killed.kill()
    const before = powerActions()
    server.interfere = () => false

    await agent('run', '--once')

    expect(before).toEqual([])
    expect(powerActions()).toEqual(['Shutdown'])
  })

  test('a suspended agent gets no restart, a cancelled one does not happen, and one that may be postponed waits', async () => {
    const { server, agent, powerActions } = await openWithPower(kind)
    const cancelled = server.give({ kind: 'Power', power: reboot })
    server.interfere = ({ path }) => {
      if (path.endsWith('/result')) server.cancel(cancelled)
      return false
    }

    await agent('suspend', '--until', '1h')
    await agent('run', '--once')
    expect(server.contacts.at(-1)?.suspension).toMatchObject({ mode: 'Suspended' })
    expect(server.progress).toEqual([])
    await agent('resume')
    const latest = inDays(1)
    const postponed = server.give({ kind: 'Power', power: reboot, postponable: { remaining: 1, untilUtc: latest } })
    await agent('postpone', '--until', inDays(2))
    await agent('run', '--once')

    expect(server.results).toMatchObject([{ workId: cancelled, accepted: false }])
    expect(server.postponements).toMatchObject([{ workId: postponed, untilUtc: latest }])
    expect(powerActions()).toEqual([])
  })
}
