import { expect, test } from 'vitest'
import { openWorld, until } from './world.ts'

const reboot = { action: 'Reboot', timeoutMinutes: -1, reminderMinutes: 10 } as const

test('a restart is reported before its command runs, and happens once', async () => {
  const { server, start, runOnce, left, journal } = await openWorld()
  const workId = server.give({ kind: 'Power', power: reboot })
  let wasEarly: boolean | undefined
  server.interfere = ({ path }) => {
    if (path.endsWith('/result')) wasEarly = left('power') !== undefined
    return false
  }

  await start('run', '--once').ended
  await runOnce()

  expect(wasEarly).toBe(false)
  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: null })
  expect(left('power')).toBe('Reboot\n')
  expect(await journal()).toEqual([])
})

test('a restart that could not be reported waits until the server has the result', async () => {
  const { server, start, runOnce, left } = await openWorld()
  server.give({ kind: 'Power', power: { ...reboot, action: 'Shutdown' } })
  server.interfere = ({ path }) => (path.endsWith('/result') ? new Promise(() => undefined) : false)
  const agent = start('run')
  await until(() => server.calls.some(({ path }) => path.endsWith('/result')))
  await agent.kill()
  const before = left('power')
  server.interfere = () => false

  await runOnce()

  expect(before).toBeUndefined()
  expect(left('power')).toBe('Shutdown\n')
})

test('a cancelled restart does not happen', async () => {
  const { server, runOnce, left } = await openWorld()
  const workId = server.give({ kind: 'Power', power: reboot })
  server.interfere = ({ path }) => {
    if (path.endsWith('/result')) server.cancel(workId)
    return false
  }

  await runOnce()

  expect(left('power')).toBeUndefined()
})

test('a user who is logged on gets the timeout, and reminders if notifications are shown', async () => {
  const { server, runOnce, left, installFakeTool } = await openWorld()
  await installFakeTool('who', 'echo "ada tty1 2026-01-01 10:00"')
  await installFakeTool('wall', 'echo "$@" >> "$ROOT/wall"')
  server.settings = { hash: 'h', values: { showNotifications: true } }
  server.give({ kind: 'Power', power: { action: 'Reboot', timeoutMinutes: 0.01, reminderMinutes: 0 } })
  const before = Date.now()

  await runOnce()

  expect(server.contacts[0]?.loggedOnUser).toBe('ada')
  expect(Date.now() - before).toBeGreaterThan(600)
  expect(left('wall')).toBe('Reboot of this computer in 1 minutes. Please save your work.\n')
  expect(left('power')).toBe('Reboot\n')
})

test('a restart does not wait if nobody is logged on, and sends no reminders without notifications', async () => {
  const { server, runOnce, left, installFakeTool } = await openWorld()
  await installFakeTool('who', 'true')
  await installFakeTool('wall', 'echo "$@" >> "$ROOT/wall"')
  server.give({ kind: 'Power', power: { action: 'Reboot', timeoutMinutes: 60, reminderMinutes: 1 } })

  await runOnce()

  expect(left('power')).toBe('Reboot\n')
  expect(left('wall')).toBeUndefined()
})
