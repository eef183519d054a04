import { expect, test } from 'vitest'
import { button, click, fill } from '../world/acts.ts'
import type { AnswerOf, BodyOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/rollouts/{id}'
const computers = '/api/rollouts/{id}/computers'

type Rollout = AnswerOf<`GET ${typeof path}`>
type Computer = AnswerOf<`GET ${typeof computers}`>['items'][number]

const failed = { exitCode: 28, cause: 'no space left on device' }

/** A rollout with two rings; in the first one, one computer has failed and one has succeeded. */
function givenRollout() {
  const known = example(`GET ${path}`)
  const [ring] = known.rings as [Rollout['rings'][number]]
  const [group] = known.timeLine?.failureGroups ?? []
  if (!group || !known.timeLine) throw new Error('The example has no failures.')
  const counts = { ...ring.computers, total: 2, pending: 0, succeeded: 1, failed: 1 }
  const value: Rollout = {
    ...known,
    ...{ rolloutId: 'r1', state: 'Running', pause: null, endedAtUtc: null },
    rings: [
      { ...ring, ring: 1, name: 'Pilot', state: 'Open', doneAtUtc: null, computers: counts },
      { ...ring, ring: 2, name: 'Everyone', state: 'Waiting', computers: { ...counts, succeeded: 0, failed: 0 } },
    ],
    timeLine: { ...known.timeLine, failureGroups: [{ ...group, ...failed }] },
  }
  const service = fakeService()
  const rollout = new FakeResource<Rollout>(value, 'RolloutNotFound').serve(service, path)
  const computer = example(`GET ${computers}`).items[0] as Computer
  const all = [1, 2, 3, 4, 5].map((id): Computer => {
    const outcome = id === 1 ? { state: 'Failed' as const, exitCode: 28, error: failed.cause } : {}
    return { ...computer, computerId: id, hostname: `till-${id}`, ring: id < 3 ? 1 : 2, exitCode: null, ...outcome }
  })
  service.on(`GET ${computers}`, ({ query }) =>
    listOf(
      all.filter(
        ({ ring: own, state, exitCode }) =>
          (query.get('ring') ?? String(own)) === String(own) &&
          (query.get('state') ?? state) === state &&
          (query.get('exitCode') ?? String(exitCode)) === String(exitCode),
      ),
    ),
  )
  return { service, rollout }
}

/** The computers to which the rows of a table lead. */
const shownIn = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .queryAllByRole('link')
    .map((link) => link.getAttribute('href'))
    .filter((href) => href?.startsWith('/computers/'))

test('the numbers of a ring and the causes of failures lead to their computers', async () => {
  givenRollout()
  const { address } = await openPage('/rollouts/r1')
  const everyComputer = [1, 2, 3, 4, 5].map((id) => `/computers/${id}`)
  await screen.findByRole('table', { name: 'Computers' })
  await waitFor(() => expect(shownIn('Computers')).toEqual(everyComputer))

  const [pilot] = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Pilot'))
  await click(within(pilot as HTMLElement).getByRole('link', { name: '1 failed for good' }))
  await waitFor(() => expect(shownIn('Computers')).toEqual(['/computers/1']))
  expect(address()).toBe('/rollouts/r1?ring=1&state=Failed')
  await click(screen.getByRole('link', { name: 'Show the computers' }))
  await waitFor(() => expect(address()).toMatch(/exitCode=28&cause=/))
  await waitFor(() => expect(shownIn('Computers')).toEqual(['/computers/1']))
  await click(await screen.findByRole('button', { name: /Exit code 28.*show all again/ }))

  await waitFor(() => expect(shownIn('Computers')).toEqual(everyComputer))
})

test('a paused rollout has the same numbers of failed computers everywhere, and a ring says that nothing was due', async () => {
  const { rollout } = givenRollout()
  const { rings, pause } = example(`GET ${path}`)
  const [first] = rings
  if (!first || !pause) throw new Error('The example has no ring or no pause.')
  const none = { total: 4, unreleased: 0, pending: 0, retrying: 0, succeeded: 0, failed: 0, cancelled: 0, away: 0 }
  rollout.change({
    state: 'Paused',
    pause: {
      ...pause,
      ...{ code: 'Failures', ring: 2, computers: 4, retried: 3, limit: 1, exitCode: null, error: null },
      ...{ atUtc: '2026-03-14T10:12:00Z', sinceUtc: null },
    },
    failedCount: 1,
    retryingCount: 3,
    rings: [
      { ...first, ring: 1, name: 'Pilot', state: 'Done', computers: { ...first.computers, ...none, nothingDue: 4 } },
      {
        ...first,
        ...{ ring: 2, name: 'Everyone', state: 'Open' },
        computers: { ...first.computers, ...none, nothingDue: 0, failed: 1, retrying: 3 },
      },
    ],
  })
  await openPage('/rollouts/r1')

  const banner = await screen.findByRole('alert')
  within(banner).getByText(/^Paused .*2026/)
  within(banner).getByText(
    '4 computers of ring 2 failed; at most 1 may fail. Of these, 3 will be retried after the pause.',
  )
  const figures = screen.getAllByText(/^Failed/, { selector: 'dt' })
  expect(figures.map(({ nextElementSibling }) => nextElementSibling?.textContent)).toEqual(['4'])
  screen.getByText('Computers on which work failed: 1 for good, 3 will be retried')
  const [pilot, everyone] = ['Pilot', 'Everyone'].map((name) =>
    screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(name)),
  ) as [HTMLElement, HTMLElement]
  within(everyone).getByRole('link', { name: '1 failed for good' })
  const retried = within(everyone).getByRole('link', { name: '3 failed, will be retried' })
  expect(retried.getAttribute('href')).toContain('?ring=2&state=Retrying')
  within(pilot).getByText('Nothing was due')
  // Neither attempts nor work items are counted beside the computers.
  screen.getByRole('heading', { name: 'Causes of failures' })
  expect(screen.queryByText(/failed attempt/)).toBeNull()
  const chart = screen.getByRole('figure', { name: 'Work items by state' })
  expect(within(chart).getByText('failed').textContent).toBe('failed')
})

const minutes = (from: number) => new Date(Date.now() + from * 60_000).toISOString()

test.each([
  ['the known time of the next step', { next: 'Soaking', atUtc: minutes(30) }, /^(?!.*if all goes well).*\d/],
  [
    'the time at which the next ring opens if all goes well',
    { next: 'Results', expected: 90 },
    /^ring 2 opens .*\d.*, if all/,
  ],
  [
    'that it waits for results, if no time can be expected',
    { next: 'Results', expected: 0 },
    /^when its results are good$/,
  ],
  ['that somebody has to resume it', { state: 'Paused', next: 'Resume' }, /^when somebody resumes it$/],
] as const)('above its rings, a rollout says when it goes on: %s', async (_what, given, expected) => {
  const { rollout } = givenRollout()
  const { rings } = rollout.value as Rollout
  const {
    state = 'Running',
    atUtc = null,
    expected: end = 0,
  } = given as { state?: 'Paused'; atUtc?: string; expected?: number }
  rollout.change({
    state,
    next: { code: given.next, ring: 1, text: '', atUtc },
    rings: rings.map((ring) => ({ ...ring, expectedEndUtc: minutes(end) })),
  })
  await openPage('/rollouts/r1')

  const label = await screen.findByText(/^Goes on:/)
  expect(label.querySelector('b')?.textContent).toMatch(expected)
  const title = screen.getByRole('heading', { name: 'Rings' })
  expect(label.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('the chart of a rollout marks its pauses and the present, and nothing of an ended rollout is now', async () => {
  const { rollout } = givenRollout()
  rollout.change({
    evaluatedAtUtc: '2026-03-14T12:00:00Z',
    pausedTimes: [
      { fromUtc: '2026-03-14T09:00:00Z', untilUtc: '2026-03-14T10:00:00Z' },
      { fromUtc: '2026-03-14T11:00:00Z', untilUtc: null },
    ],
  })
  await openPage('/rollouts/r1')

  const chart = await screen.findByRole('figure', { name: 'Work items by state' })
  const marks = within(chart)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(marks).toContainEqual(expect.stringMatching(/^Paused .*2026.* – .*2026/))
  expect(marks).toContainEqual(expect.stringMatching(/^Paused since .*2026/))
  expect(marks).toContainEqual(expect.stringMatching(/^Now: .*2026/))
  rollout.change({ state: 'Completed', endedAtUtc: '2026-03-14T12:30:00Z', next: null })
  await waitFor(() => expect(within(chart).queryByText(/^Now/)).toBeNull(), { timeout: 10_000 })
})

test('the criteria of a rollout are edited in place, and what somebody else changes meanwhile counts too', async () => {
  const { service, rollout } = givenRollout()
  service.onAny(
    `PATCH ${path}`,
    rollout.update(({ body }, before) => {
      const { criteria } = body as BodyOf<`PATCH ${typeof path}`>
      return { ...before, criteria: { ...before.criteria, ...criteria } }
    }),
  )
  await openPage('/rollouts/r1')

  await click(await screen.findByRole('button', { name: 'Edit criteria' }))
  const panel = await screen.findByRole('dialog')
  await fill(within(panel).getByLabelText('Successes that a ring needs (%)'), '50')
  await within(panel).findByText(/From the next evaluation on/)
  rollout.change({ criteria: { ...(rollout.value as Rollout).criteria, awayHours: 48 } })
  await click(button(panel, 'Save'))
  await within(panel).findByText('Hours after which an absent computer does not count: 24 → 48')
  await click(button(panel, 'Save'))

  await screen.findByText('The criteria were saved.')
  expect(rollout.value?.criteria).toMatchObject({ minSuccessPercent: 50, awayHours: 48 })
  expect(service.bodies(`PATCH ${path}`).at(-1)).toEqual({ criteria: { minSuccessPercent: 50 } })
})

test('the deadline for people is removed from a rollout by clearing its checkbox', async () => {
  const { service, rollout } = givenRollout()
  service.onAny(
    `PATCH ${path}`,
    rollout.update(({ body }, before) => ({ ...before, ...(body as Partial<Rollout>), criteria: before.criteria })),
  )
  await openPage('/rollouts/r1')

  await click(await screen.findByRole('button', { name: 'Edit criteria' }))
  const panel = await screen.findByRole('dialog')
  await click(within(panel).getByRole('checkbox', { name: 'Ask the person, with a deadline' }))
  await within(panel).findByText(/From the next evaluation on/)
  await click(button(panel, 'Save'))

  await screen.findByText('The criteria were saved.')
  expect(rollout.value?.userDeadline).toBeNull()
  expect(service.bodies(`PATCH ${path}`).at(-1)).toEqual({ userDeadline: null, criteria: {} })
})

test('failed work of a task is shown with its output and its computers, and retried as a new task', async () => {
  const task = '/api/tasks/{trackingId}'
  const retry = '/api/tasks/{trackingId}/retry'
  type Task = AnswerOf<`GET ${typeof task}`>
  const known = example(`GET ${task}`)
  const [group] = known.timeLine?.failureGroups ?? []
  if (!group || !known.timeLine) throw new Error('The example has no failures.')
  const output = 'E: no space left on device /var/cache/viewer'
  const timeLine: Task['timeLine'] = {
    ...known.timeLine,
    failureGroups: [
      {
        ...group,
        ...failed,
        example: { workId: 1, clientId: 1, hostname: 'till-1', output: `Unpacking …\n${output}` },
      },
    ],
  }
  const action = known.actions.items[0] as Task['actions']['items'][number]
  const actions = [1, 2, 3].map((id) => ({ ...action, workId: id, clientId: id, hostname: `till-${id}` }))
  const service = fakeService()
    .on(`GET ${task}`, ({ params, query }) =>
      params[0] === 't1'
        ? {
            ...{ ...known, trackingId: 't1', rolloutId: null, total: 3, open: 0, succeeded: 1, failed: 2, timeLine },
            actions: listOf(actions.slice(0, query.get('exitCode') === '28' ? 2 : 3)),
          }
        : { ...known, trackingId: 't2', rolloutId: null, total: 2, open: 2, succeeded: 0, failed: 0 },
    )
    .onAny(`POST ${retry}`, () => affecting(2, example(`POST ${retry}`, { trackingId: 't2', computerCount: 2 })))
  const { address } = await openPage('/tasks/t1')

  await screen.findByText(new RegExp(output))
  screen.getByText('Exit code 28')
  screen.getByText('2 failed')
  await waitFor(() => expect(shownIn('Work items')).toHaveLength(3))
  await click(screen.getByRole('link', { name: 'Show the computers' }))
  await waitFor(() => expect(shownIn('Work items')).toEqual(['/computers/1', '/computers/2']))
  await click(button(document.body, 'Retry failed'))
  const panel = await screen.findByRole('dialog')
  await within(panel).findByText(/Creates the failed work of 2 computers again/)
  await click(button(panel, 'Retry failed'))

  await waitFor(() => expect(address()).toBe('/tasks/t2'))
  await screen.findByText('0 of 2')
  const retried = service.sent.filter(({ name, query }) => name === `POST ${retry}` && !query.has('dryRun'))
  expect(retried.map(({ path }) => path)).toEqual(['/api/tasks/t1/retry'])
})
