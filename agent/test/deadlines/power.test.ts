import { expect, test } from 'vitest'
import { awaitUser } from '../../src/deadlines/await-user.ts'
import type { StartedWork, WorkDeadline } from '../../src/protocol.ts'
import { powerWork, runPendingPowerCommands } from '../../src/work/power.ts'
import { answering, deadlineAgent, deadlineItem, inMinutes } from './deadline-agent.ts'

const past = inMinutes(-1)
const restart = { action: 'Reboot' as const, timeoutMinutes: -1, reminderMinutes: 0 }
const started = { leaseSeconds: 900 } as StartedWork
const asRestart = (deadline: Partial<WorkDeadline>, remaining = 2) => {
  const item = deadlineItem({ noticeMinutes: 0.01, ...deadline }, { kind: 'Power', package: null, power: restart })
  return { ...item, postponable: { ...item.postponable, remaining } }
}

/** The parts with which a restart is reported. */
async function restartingAgent(parts: Parameters<typeof deadlineAgent>[0]) {
  const world = await deadlineAgent(parts)
  const stored: object[] = []
  Object.assign(world.agent, {
    rebootCommand: 'true',
    journal: { write: async (entry: object) => void stored.push(entry), remove: async () => undefined },
    terms: { takesResults: false },
    outbox: {},
  })
  Object.assign(world.agent.client, { result: async () => ({ accepted: true }) })
  return { ...world, stored }
}

test('a restart that nobody answers waits until the deadline, and a countdown comes first', async () => {
  const { agent, postponed, stored } = await restartingAgent({ users: answering(null) })

  expect(await powerWork(agent, asRestart({}), restart, started)).toBe(false)

  expect(postponed).toMatchObject([{ reason: 'NoAnswer' }])
  expect(stored).toEqual([])
})

test.each([
  ['the user chooses now', {}, 2, answering('Now')],
  ['nobody is logged on', {}, 2, { loggedOn: async () => null }],
  ['the postponements are used up', {}, 0, answering(null)],
  ['the deadline has passed', { deadlineUtc: past }, 2, answering('Later')],
])('a restart with a deadline happens if %s', async (_, deadline, remaining, users) => {
  const { agent, postponed, stored } = await restartingAgent({ users })

  expect(await powerWork(agent, asRestart(deadline, remaining), restart, started)).toBe(true)

  expect(postponed).toEqual([])
  expect(stored).toContainEqual(expect.objectContaining({ phase: 'power', action: 'Reboot' }))
})

test.each([
  ['Shutdown', 'This computer will shut down in a minute.'],
  ['LogOff', 'Everybody will be signed out of this computer in a minute.'],
] as const)('a %s with a deadline counts down and asks like a restart', async (action, announcement) => {
  const asked: string[] = []
  const askToPostpone = async ({ text }: { text: string }) => {
    asked.push(text)
    return { answer: 'Later' as const, user: 'mia' }
  }
  const { agent, postponed, stored } = await restartingAgent({ users: { askToPostpone } })
  const power = { ...restart, action }
  const item = { ...asRestart({ noticeMinutes: 1 }), power }

  expect(await awaitUser(agent, item)).toBe(true)
  expect(await powerWork(agent, item, power, started)).toBe(false)

  expect(asked).toEqual([expect.stringContaining(announcement)])
  expect(postponed).toMatchObject([{ workChoices: [{ choice: 'Later', user: 'mia' }] }])
  expect(stored).toEqual([])
})

test('a power action that does nothing is not announced, and ends at once', async () => {
  const { agent, seen, stored } = await restartingAgent({ users: answering('Later') })
  const nothing = { ...restart, action: 'None' as const, timeoutMinutes: 60 }
  const item = { ...deadlineItem(), userDeadline: undefined, kind: 'Power' as const, package: null, power: nothing }

  expect(await powerWork(agent, item as never, nothing, started)).toBe(true)

  expect(seen).toEqual([])
  expect(stored).toMatchObject([{ phase: 'finished', result: { commandLine: null } }])
})

test('a restart that the user postpones waits for an hour', async () => {
  const { agent, postponed } = await restartingAgent({ users: answering('Later') })
  const item = asRestart({ noticeMinutes: 1 })

  expect(await awaitUser(agent, item)).toBe(true)
  expect(await powerWork(agent, item, restart, started)).toBe(false)

  expect(postponed).toMatchObject([{ workChoices: [{ choice: 'Later' }] }])
  expect(postponed[0]?.reason).toBeUndefined()
})

test('a restart whose window has ended does not happen, even if the server takes its result', async () => {
  const { agent, stored } = await restartingAgent({ users: { loggedOn: async () => null } })
  const inTime = { ...asRestart({}), beginBy: Date.now() + 60_000 }
  const tooLate = { ...asRestart({}), beginBy: Date.now() - 1 }

  expect(await powerWork(agent, tooLate, restart, started)).toBe(false)
  expect(stored).toEqual([])
  expect(await powerWork(agent, inTime, restart, started)).toBe(true)
  expect(stored).toContainEqual(expect.objectContaining({ phase: 'power', beginBy: inTime.beginBy }))
})

test.each([
  ['is over', -1, 0],
  ['is not over', 60_000, 1],
])('a restart that the server has accepted runs only if its time %s', async (_, leftMs, runs) => {
  const { agent } = await restartingAgent({ users: { loggedOn: async () => null } })
  const commands: string[] = []
  const entry = { phase: 'power', workId: 1, action: 'Reboot', bootId: agent.platform.system.bootId() }
  Object.assign(agent.journal, { entries: async () => [{ ...entry, beginBy: Date.now() + leftMs }] })
  Object.assign(agent.platform, {
    processes: {
      runShell: async (command: string) => {
        commands.push(command)
        return 0
      },
    },
  })

  await runPendingPowerCommands(agent)

  expect(commands).toHaveLength(runs)
})
