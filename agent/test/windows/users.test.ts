import { expect, test } from 'vitest'
import { rememberFor } from '../../src/platform/common/remember-for.ts'
import type { UserAnswer } from '../../src/platform/machine.ts'
import { events } from '../../src/platform/windows/event-log.ts'
import {
  isPresentation,
  isUserPresenting,
  presentingCode,
  type SessionCalls,
} from '../../src/platform/windows/presentation.ts'
import { programIn } from '../../src/platform/windows/session-calls.ts'
import { messagesOver } from '../../src/platform/windows/users.ts'

const [notPresent, fullScreen, acceptsNotifications] = [1, 2, 5]

function calls(given: Partial<SessionCalls> = {}) {
  const asked: number[] = []
  const all: SessionCalls = {
    ownSession: () => 0,
    screenSession: () => 1,
    readState: () => acceptsNotifications,
    askInSession: async (session) => {
      asked.push(session)
      return presentingCode
    },
    ...given,
  }
  return { asked, all }
}

test('a full-screen program, an exclusive one, the presentation settings and the quiet time are presentations, and nothing else is', () => {
  const states = [1, 2, 3, 4, 5, 6, 7].filter(isPresentation)

  expect(states).toEqual([2, 3, 4, 6])
})

test('a service asks in the session at the screen, and believes only the code that means yes', async () => {
  const { asked, all } = calls()

  expect(await isUserPresenting(all)).toBe(true)
  expect(asked).toEqual([1])
  for (const code of [0, 1, 3, null])
    expect(await isUserPresenting({ ...all, askInSession: async () => code })).toBe(false)
})

test('an agent in the session at the screen asks Windows itself, and one without a screen asks nobody', async () => {
  const { asked, all } = calls({ ownSession: () => 1 })

  expect(await isUserPresenting({ ...all, readState: () => fullScreen })).toBe(true)
  expect(await isUserPresenting({ ...all, readState: () => notPresent })).toBe(false)
  expect(await isUserPresenting({ ...all, ownSession: () => 0, screenSession: () => undefined })).toBe(false)
  expect(asked).toEqual([])
})

test('an answer is used again for a short time', async () => {
  let count = 0
  const remembered = rememberFor(30, async () => ++count)

  expect([await remembered(), await remembered()]).toEqual([1, 1])
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(await remembered()).toBe(2)
})

test.each([
  ['"C:\\Program Files\\Muster\\muster-agent.exe" service', 'C:\\Program Files\\Muster\\muster-agent.exe'],
  ['C:\\Program Files\\Muster\\muster-agent.exe service', 'C:\\Program Files\\Muster\\muster-agent.exe'],
  ['', undefined],
])('the program of the service line %j is found', (line, program) => {
  expect(programIn(line)).toBe(program)
})

const question = (text: string) => ({ text, later: 'Later', now: 'Now' })

const ada = { id: 1, user: 'ADA', isActive: true }
const bob = { id: 2, user: 'BOB', isActive: true }
const away = { id: 3, user: 'EVE', isActive: false }

function messages(sessions: (typeof ada)[], answer: UserAnswer = 'Later') {
  const shown: unknown[][] = []
  const asked: unknown[][] = []
  const users = messagesOver({
    listSessions: () => sessions,
    showMessage: (...args) => void shown.push(args),
    askInSession: async (...args) => {
      asked.push(args)
      return answer
    },
  })
  return { users, shown, asked }
}

test('a message reaches everybody who uses the computer now', () => {
  const { users, shown } = messages([ada, bob, away])

  users.notify('Save your work.')

  expect(shown).toEqual([
    [1, 'Muster', 'Save your work.'],
    [2, 'Muster', 'Save your work.'],
  ])
})

test('names in messages and questions cannot change how these are read', async () => {
  const { users, shown, asked } = messages([ada])

  users.notify('Muster installs gnp\u202e.exe')
  await users.askToPostpone(question('Muster is about to install a\n\nYour password has expired'), 1_000)

  expect(shown).toEqual([[1, 'Muster', 'Muster installs gnp\\u202e.exe']])
  expect(asked).toEqual([[1, 'Muster', 'Muster is about to install a Your password has expired', 1]])
})

test('the only user is asked with the time limit, and the answer counts', async () => {
  const { users, asked } = messages([ada, away])

  expect(await users.askToPostpone(question('Later?'), 59_200)).toEqual({ answer: 'Later', user: 'ADA' })
  expect(asked).toEqual([[1, 'Muster', 'Later?', 60]])
  expect(await messages([ada], 'Now').users.askToPostpone(question('Later?'), 1)).toMatchObject({ answer: 'Now' })
})

test.each([[[]], [[away]], [[ada, bob]]])(
  'without exactly one user, nobody is asked, and everybody is notified: %j',
  async (sessions) => {
    const { users, asked, shown } = messages(sessions)

    expect(await users.askToPostpone(question('Later?'), 1_000)).toBeNull()
    expect(asked).toEqual([])
    expect(shown).toHaveLength(sessions.filter(({ isActive }) => isActive).length)
  },
)

test('each event has a number of its own, within those that the registered file shows as text alone', () => {
  const ids = Object.values(events).map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toBeLessThanOrEqual(1000)
  expect(events).toMatchObject({ Started: { id: 100 }, ContactLost: { id: 120 }, UpdateTakenBack: { id: 140 } })
})
