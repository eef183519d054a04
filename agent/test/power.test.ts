import { expect, test } from 'vitest'
import { linuxKind } from './shared/linux-kind.ts'
import { testPower } from './shared/power.ts'
import { openWorld } from './world.ts'

testPower(linuxKind)

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
  expect(left('wall')).toBe('This computer will restart in a minute. Please save your work.\n')
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
