import { expect, test } from 'vitest'
import { openWorld } from './world.ts'

const install = { commands: { install: { shell: 'echo run >> "$ROOT/runs"' } } }
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test('work that may be postponed is postponed on request, and no longer than allowed', async () => {
  const { server, agent, runOnce, left } = await openWorld()
  const latest = inDays(1)
  const free = server.give({ ...install, postponable: { remaining: 2, untilUtc: null } })
  const bound = server.give({ ...install, postponable: { remaining: 1, untilUtc: latest } })
  const until = inDays(2)

  await agent('postpone', '--until', until)
  await runOnce()

  expect(server.postponements).toMatchObject([
    { workId: free, untilUtc: until },
    { workId: bound, untilUtc: latest },
  ])
  expect(left('runs')).toBeUndefined()
})

test('work that may not be postponed is done, and so is all work after the postponement', async () => {
  const { server, agent, runOnce, times } = await openWorld()
  await agent('postpone', '--until', inDays(1))
  const bound = server.give(install)
  const late = server.give({ ...install, postponable: { remaining: 1, untilUtc: inDays(-1) } })

  await runOnce()

  for (const workId of [bound, late]) expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(times('runs')).toBe(2)
})

test.each([
  [[], '--until is required.'],
  [['--until', 'soon'], '--until must be a duration'],
  [['--until', inDays(-1)], '--until must be in the future.'],
])('postpone %j is refused with an explanation', async (args, sentence) => {
  const { agent } = await openWorld()

  expect(await agent('postpone', ...args)).toMatchObject({ code: 1, output: expect.stringContaining(sentence) })
})

test('the result of an operating system installation is reported', async () => {
  const { server, agent } = await openWorld()

  await agent('os-installed')
  await agent('os-installed', '--failed', '--message', 'The disk is too small.')

  expect(server.osInstallations).toEqual([
    { status: 'Success', message: null },
    { status: 'Failed', message: 'The disk is too small.' },
  ])
})
