import { expect, test } from 'vitest'
import { trackActivity } from '../../src/activity.ts'
import { awaitUser } from '../../src/deadlines/await-user.ts'
import { takeChoices } from '../../src/deadlines/choices.ts'
import { findQuietEnd } from '../../src/deadlines/quiet-hours.ts'
import type { UserAnswer } from '../../src/platform/machine.ts'
import type { WorkDeadline } from '../../src/protocol.ts'
import { storePostponement } from '../../src/state/postponement.ts'
import { recordPresentation } from '../../src/state/presentation.ts'
import { findSuspension } from '../../src/state/suspension.ts'
import { listWarnings } from '../../src/state/warnings.ts'
import { buildView } from '../../src/user-channel/view.ts'
import { answering, deadlineAgent, deadlineItem, inMinutes } from './deadline-agent.ts'

const openProgram = { name: 'soffice.bin', pid: 1, startTicks: '1' }
const past = inMinutes(-1)
const allDay = { start: '00:00', end: '23:59' }

function openPrograms() {
  const open = [openProgram]
  const ended: string[] = []
  return {
    open,
    ended,
    userPrograms: {
      list: async () => open,
      end: async (_: unknown, how: string) => {
        ended.push(how)
        open.length = 0
      },
    },
  }
}

test.each([
  ['08:00', '12:00', '07:59', null],
  ['08:00', '12:00', '08:00', '12:00'],
  ['08:00', '12:00', '12:00', null],
  ['22:00', '06:00', '23:30', 'tomorrow 06:00'],
  ['22:00', '06:00', '05:59', '06:00'],
  ['22:00', '06:00', '06:00', null],
])('quiet hours from %s to %s: at %s they end at %s', (start, end, at, expected) => {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const found = findQuietEnd({ start, end }, new Date(2026, 5, 10, hours, minutes))

  const [, time = ''] = /(\d\d:\d\d)$/.exec(expected ?? '') ?? []
  const [endHours = 0, endMinutes = 0] = time.split(':').map(Number)
  const day = expected?.startsWith('tomorrow') ? 11 : 10
  expect(found).toEqual(expected === null ? null : new Date(2026, 5, day, endHours, endMinutes))
})

test.each<[string, Partial<WorkDeadline>, Parameters<typeof deadlineAgent>[0]]>([
  ['QuietHours', { quietHours: allDay }, {}],
  ['Presentation', {}, { users: { isPresenting: async () => true } }],
  ['ProgramsOpen', { closePrograms: ['soffice.bin'] }, { userPrograms: openPrograms().userPrograms }],
])('before the deadline, work waits because of %s, never longer than until then', async (reason, deadline, parts) => {
  const { agent, postponed } = await deadlineAgent(parts)
  const item = deadlineItem({ deadlineUtc: inMinutes(5), noticeMinutes: 1, ...deadline })

  expect(await awaitUser(agent, item)).toBe(false)

  expect(postponed).toMatchObject([{ workId: 1, attempt: 1, reason, workChoices: [{ choice: reason, user: 'mia' }] }])
  expect(Date.parse(postponed[0]?.untilUtc ?? '')).toBeLessThanOrEqual(Date.parse(item.userDeadline.deadlineUtc))
})

test('from the deadline on, neither quiet hours nor presentations nor postponements delay the work', async () => {
  const { agent, postponed } = await deadlineAgent({ users: { isPresenting: async () => true, ...answering('Later') } })
  await storePostponement(agent.state, new Date(inMinutes(60)), 'mia')

  expect(await awaitUser(agent, deadlineItem({ deadlineUtc: past, quietHours: allDay }))).toBe(true)

  expect(postponed).toEqual([])
})

test('a server whose clock has passed the deadline ends the waiting as well', async () => {
  const { agent, refuseDelays } = await deadlineAgent({ users: { isPresenting: async () => true } })
  refuseDelays()

  expect(await awaitUser(agent, deadlineItem())).toBe(true)
})

test('a reason to wait is reported once, and people are notified about open programs once an hour', async () => {
  const { userPrograms, ended } = openPrograms()
  const { agent, seen, postponed } = await deadlineAgent({ userPrograms })
  const item = deadlineItem({ closePrograms: ['soffice.bin'] })

  for (let times = 0; times < 3; times++) expect(await awaitUser(agent, item)).toBe(false)

  expect(postponed.map(({ workChoices }) => workChoices?.length)).toEqual([1, 0, 0])
  expect(postponed[0]?.workChoices).toMatchObject([{ choice: 'ProgramsOpen', programs: ['soffice.bin'] }])
  expect(seen).toMatchObject([expect.stringContaining('Please close soffice.bin.')])
  expect(ended).toEqual([])
})

test('programs are closed after the deadline and after the notice, and not before', async () => {
  const { userPrograms, ended } = openPrograms()
  const { agent, seen } = await deadlineAgent({ userPrograms })
  const soon = 0.02
  const item = deadlineItem({ closePrograms: ['soffice.bin'], noticeMinutes: soon, deadlineUtc: inMinutes(soon) })
  let closedAt = 0
  const { end } = userPrograms
  agent.platform.userPrograms.end = async (program, how) => {
    closedAt = Date.now()
    await end(program, how)
  }

  expect(await awaitUser(agent, item)).toBe(true)

  expect(closedAt).toBeGreaterThanOrEqual(Date.parse(item.userDeadline.deadlineUtc))
  expect(ended).toEqual(['ask'])
  expect(seen).toMatchObject([expect.stringContaining('Muster will close soffice.bin in a minute')])
  expect(await takeChoices(agent, 1)).toMatchObject([{ choice: 'ProgramsClosed', programs: ['soffice.bin'] }])
})

test('people have the whole notice, even if the deadline passed while the computer was off', async () => {
  const { userPrograms, ended } = openPrograms()
  const { agent } = await deadlineAgent({ userPrograms })
  const begun = performance.now()

  expect(
    await awaitUser(agent, deadlineItem({ closePrograms: ['soffice.bin'], noticeMinutes: 0.01, deadlineUtc: past })),
  ).toBe(true)

  expect(performance.now() - begun).toBeGreaterThanOrEqual(600)
  expect(ended).toEqual(['ask'])
})

test('work begins as soon as people have closed the programs themselves', async () => {
  const { userPrograms, open, ended } = openPrograms()
  const notify = () => void open.splice(0)
  const { agent } = await deadlineAgent({ userPrograms, users: { notify } })

  expect(await awaitUser(agent, deadlineItem({ closePrograms: ['soffice.bin'], deadlineUtc: past }))).toBe(true)

  expect(ended).toEqual([])
  expect(await takeChoices(agent, 1)).toEqual([])
})

test.each<[UserAnswer | null, string]>([
  ['Now', 'Now'],
  [null, 'NoAnswer'],
])('a user who answers %s lets the work begin, and the result reports %s', async (answer, choice) => {
  const { agent, postponed } = await deadlineAgent({ users: answering(answer) })

  expect(await awaitUser(agent, deadlineItem())).toBe(true)

  expect(postponed).toEqual([])
  expect(await takeChoices(agent, 1)).toMatchObject([{ choice, user: 'mia', programs: [] }])
})

test('a user who answers later postpones the work by an hour, at most until the deadline', async () => {
  const { agent, postponed } = await deadlineAgent({ users: answering('Later') })
  const item = deadlineItem({ deadlineUtc: inMinutes(30) })

  expect(await awaitUser(agent, item)).toBe(false)

  expect(postponed).toMatchObject([
    { untilUtc: item.userDeadline.deadlineUtc, workChoices: [{ choice: 'Later', user: 'mia' }] },
  ])
})

test('nobody is asked about hidden work, or if nobody is there', async () => {
  let questions = 0
  const askToPostpone = async () => {
    questions += 1
    return null
  }
  const hidden = await deadlineAgent({ users: { askToPostpone } })
  const empty = await deadlineAgent({ users: { askToPostpone, loggedOn: async () => null } })

  expect(await awaitUser(hidden.agent, deadlineItem({}, { hidden: true }))).toBe(true)
  expect(await awaitUser(empty.agent, deadlineItem())).toBe(true)

  expect(questions).toBe(0)
})

test('what waits is listed with its deadline and its reason until it is done', async () => {
  const { agent } = await deadlineAgent({ users: { isPresenting: async () => true } })
  const [later, sooner] = [deadlineItem({}), deadlineItem({ deadlineUtc: inMinutes(60) }, { workId: 2 })]

  for (const item of [later, sooner]) await awaitUser(agent, item)
  const listed = await listWarnings(agent.state)
  await takeChoices(agent, 2)

  expect(listed).toMatchObject([
    { workId: 2, deadlineUtc: sooner.userDeadline.deadlineUtc, reason: 'Presentation', package: { name: 'Greeting' } },
    { workId: 1, remaining: 2 },
  ])
  expect(await listWarnings(agent.state)).toMatchObject([{ workId: 1 }])
})

test('a presentation suspends the agent until the first deadline of work that waits', async () => {
  const { agent } = await deadlineAgent({ users: { isPresenting: async () => true } })
  const item = deadlineItem({ deadlineUtc: inMinutes(60) })
  await recordPresentation(agent.state)
  await awaitUser(agent, item)

  const { deadlineUtc } = item.userDeadline
  expect(await findSuspension(agent.state)).toEqual({ mode: 'PresentationMode', untilUtc: deadlineUtc })
  expect(await findSuspension(agent.state, new Date(Date.parse(deadlineUtc) + 1))).toBeNull()
})

test('a choice belongs to the user who made it, even if another one is logged on first', async () => {
  const users = { loggedOn: async () => 'admin', askToPostpone: async () => ({ answer: 'Now' as const, user: 'mia' }) }
  const { agent, postponed } = await deadlineAgent({ users })

  await awaitUser(agent, deadlineItem())
  await storePostponement(agent.state, new Date(inMinutes(60)), 'noah')
  await awaitUser(agent, deadlineItem({}, { workId: 2 }))

  expect(await takeChoices(agent, 1)).toMatchObject([{ choice: 'Now', user: 'mia' }])
  expect(postponed).toMatchObject([{ workId: 2, workChoices: [{ choice: 'Later', user: 'noah' }] }])
})

test('people are warned about hidden work without its name, and the page does not list it', async () => {
  const { userPrograms } = openPrograms()
  const { agent, seen } = await deadlineAgent({ userPrograms })

  await awaitUser(agent, deadlineItem({ closePrograms: ['soffice.bin'] }, { hidden: true }))

  expect(seen).toMatchObject([expect.stringMatching(/^Muster waits to install software\. Please close soffice\.bin\./)])
  const nothing = { software: [], history: [], requests: [], asOfUtc: null, isCurrent: true }
  const view = await buildView(agent.state, trackActivity(), nothing, { account: '1', name: 'mia' })
  expect(view.warnings).toEqual([])
})
