import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Agent } from '../src/agent.ts'
import { linux } from '../src/platform/linux/index.ts'
import type { Answered, Question, UserAnswer, Users } from '../src/platform/machine.ts'
import { messagesOver } from '../src/platform/windows/users.ts'
import type { StartedWork, UserChoice, WorkItem } from '../src/protocol.ts'
import { findPresentationEnd, recordPresentation } from '../src/state/presentation.ts'
import { storeSettings } from '../src/state/settings.ts'
import { prepareStateFolder, stateFolder } from '../src/state/state-folder.ts'
import { findSuspension } from '../src/state/suspension.ts'
import { reportChoices } from '../src/state/user-choices.ts'
import { ask } from '../src/work/ask-user.ts'
import { postponeIfRequested } from '../src/work/postpone-work.ts'
import { powerWork } from '../src/work/power.ts'

const started = { leaseSeconds: 900 } as StartedWork

/** An agent whose platform has these users, and which records what it asks of the server. */
async function agentWith(users: Partial<Users>, showNotifications = true) {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const state = stateFolder(
    { ...linux, users: { ...linux.users, loggedOn: async () => 'ada', language: async () => 'en', ...users } },
    root,
  )
  await prepareStateFolder(state)
  await storeSettings(state, { hash: 'h', values: { showNotifications } })
  const postponed: { workId: number; untilUtc: string }[] = []
  const reported: UserChoice[] = []
  const client = {
    progress: async () => ({ leaseSeconds: 900, cancelled: false }),
    postpone: async (workId: number, { untilUtc }: { untilUtc: string }) => {
      postponed.push({ workId, untilUtc })
      return { remaining: 0 }
    },
    userChoices: async (choices: UserChoice[]) => {
      reported.push(...choices)
      return { choices: [] }
    },
  }
  const agent = {
    platform: state.platform,
    state,
    client,
    leasedItems: [] as WorkItem[],
    questions: { notBefore: 0, isOpen: false },
    stopping: new AbortController().signal,
  } as unknown as Agent
  return { agent, postponed, reported }
}

function item(workId: number, remaining: number, given: Partial<WorkItem> = {}): WorkItem {
  const subject = { name: 'Greeting', version: '1.2.0' } as WorkItem['package']
  const postponable = { remaining, untilUtc: null }
  return {
    ...{ workId, attempt: 1, kind: 'Install' as const, leaseSeconds: 900, package: subject, postponable },
    ...{ hidden: false, forced: false, power: null, ...given },
  }
}

function asking(answer: UserAnswer) {
  const asked: { question: string; limitMs: number }[] = []
  const askToPostpone = async ({ text: question }: Question, limitMs: number) => {
    asked.push({ question, limitMs })
    return { answer, user: 'ada' }
  }
  return { asked, askToPostpone }
}

test('a user who says yes postpones all packages that may be postponed by an hour, with one question', async () => {
  const { asked, askToPostpone } = asking('Later')
  const { agent, postponed } = await agentWith({ askToPostpone })
  const [first, second, fixed] = [item(1, 2), item(2, 1, { kind: 'Uninstall' }), item(3, 0)]
  agent.leasedItems.push(first, second, fixed)
  const before = Date.now()

  const answers = [first, second, fixed].map((one) => () => postponeIfRequested(agent, one))
  const outcomes = [await answers[0]?.(), await answers[1]?.(), await answers[2]?.()]

  expect(outcomes).toEqual([true, true, false])
  expect(asked).toEqual([
    {
      question:
        'Muster is about to install Greeting 1.2.0, remove Greeting 1.2.0. Do you want to postpone this by an hour?',
      limitMs: 60_000,
    },
  ])
  const minutes = postponed.map(({ untilUtc }) => (new Date(untilUtc).getTime() - before) / 60_000)
  for (const value of minutes) expect(value).toBeCloseTo(60, 0)
})

/** The dialog of Windows, in which its only user answers yes. */
const windowsDialog = messagesOver({
  listSessions: () => [{ id: 1, user: 'CORP\\ada', isActive: true }],
  showMessage: () => undefined,
  askInSession: async () => 'Later',
})

test.each([
  ['packages', item(1, 1)],
  [
    'a restart',
    item(1, 1, { kind: 'Power', package: null, power: { action: 'Reboot', timeoutMinutes: 5, reminderMinutes: 1 } }),
  ],
])('%s that a user postpones in a dialog of Windows are reported with the name of the user', async (_, work) => {
  const { agent, postponed, reported } = await agentWith(windowsDialog)
  agent.leasedItems.push(work)

  if (work.power) await powerWork(agent, work, work.power, started)
  else await postponeIfRequested(agent, work)
  await reportChoices(agent.state, agent.client)

  expect(postponed).toMatchObject([{ workId: 1 }])
  expect(reported).toMatchObject([{ kind: 'Postponed', user: 'CORP\\ada' }])
  const { untilUtc } = reported[0] as { untilUtc: string }
  expect(untilUtc).toBe(postponed[0]?.untilUtc)
})

test('a user who says no is not asked again for every package', async () => {
  const { asked, askToPostpone } = asking('Now')
  const { agent, postponed } = await agentWith({ askToPostpone })
  agent.leasedItems.push(item(1, 1), item(2, 1))

  for (const one of [...agent.leasedItems]) expect(await postponeIfRequested(agent, one)).toBe(false)

  expect(asked).toHaveLength(1)
  expect(postponed).toEqual([])
})

test('nobody is asked about work that may not be postponed, about restarts, or without notifications', async () => {
  const { asked, askToPostpone } = asking('Later')
  const { agent } = await agentWith({ askToPostpone })
  const silent = await agentWith({ askToPostpone }, false)
  const late = item(1, 1, { postponable: { remaining: 1, untilUtc: '2020-01-01T00:00:00.000Z' } })

  for (const one of [item(2, 0), late, item(3, 1, { kind: 'Power', package: null })])
    expect(await postponeIfRequested(agent, one)).toBe(false)
  expect(await postponeIfRequested(silent.agent, item(4, 1))).toBe(false)

  expect(asked).toEqual([])
})

test('an announced restart that may be postponed asks, and waits for an hour if the user wants that', async () => {
  const { asked, askToPostpone } = asking('Later')
  const { agent, postponed } = await agentWith({ askToPostpone })
  const power = { action: 'Reboot' as const, timeoutMinutes: 5, reminderMinutes: 1 }
  const restart = item(7, 1, { kind: 'Power', package: null, power })

  expect(await powerWork(agent, restart, power, started)).toBe(false)

  expect(asked).toMatchObject([{ question: expect.stringContaining('This computer will restart in 5 minutes.') }])
  expect(asked[0]?.limitMs).toBeLessThanOrEqual(60_000)
  expect(postponed).toMatchObject([{ workId: 7 }])
})

test('a presentation suspends work for at most 8 hours, even if the agent is started again', async () => {
  let isPresenting = true
  const { agent } = await agentWith({ isPresenting: async () => isPresenting })
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  await recordPresentation(agent.state, at(0))
  await recordPresentation(agent.state, at(7))

  expect(await findSuspension(agent.state, at(7))).toEqual({
    mode: 'PresentationMode',
    untilUtc: at(8).toISOString(),
  })
  expect(await findSuspension(agent.state, at(8))).toBeNull()
  isPresenting = false
  await recordPresentation(agent.state, at(9))
  expect(await findPresentationEnd(agent.state, at(9))).toBeNull()
  isPresenting = true
  expect(await findPresentationEnd(agent.state, at(10))).toEqual(at(18))
})

test('while a question is open, no other is asked, whatever the server hands out', async () => {
  const asked: string[] = []
  const askToPostpone = ({ text }: Question) => {
    asked.push(text)
    return new Promise<Answered>(() => undefined)
  }
  const { agent } = await agentWith({ askToPostpone })
  const stopping = new AbortController()
  Object.assign(agent, { stopping: stopping.signal })

  const askText = (text: string) => ask(agent, { text, items: [] }, 1_000)
  const first = askText('First?')
  const others = await Promise.all([askText('Second?'), askText('Third?')])
  stopping.abort()

  expect([await first, ...others]).toEqual([null, null, null])
  expect(asked).toEqual(['First?'])
})
