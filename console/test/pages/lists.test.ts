import { expect, test } from 'vitest'
import { button, click, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf, problem } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const hrefs = (place: HTMLElement) =>
  within(place)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

/** Rollouts and tasks, as the service filters them. */
function givenTimeline() {
  type Entry = AnswerOf<'GET /api/fleet/timeline'>['items'][number]
  const known = example('GET /api/fleet/timeline').items[0] as Entry
  const empty = { groupId: null, groupPath: null, clientId: null, hostname: null, packageId: null, packageName: null }
  const entries: Entry[] = [
    { ...known, ...empty, id: 'r1', kind: 'Rollout', state: 'Running', name: 'Viewer 24.4', createdBy: 'Ada' },
    {
      ...known,
      ...empty,
      id: 't2',
      kind: 'Remediation',
      state: 'Running',
      name: null,
      clientId: 17,
      hostname: 'pc-0017',
    },
    { ...known, ...empty, id: 't1', kind: 'Activation', state: 'Running', name: null, createdBy: 'The visitor' },
  ]
  return fakeService().on('GET /api/fleet/timeline', ({ query }) =>
    listOf(
      entries.filter(
        ({ kind, state, createdBy, clientId }) =>
          query.getAll('state').includes(state) &&
          query.get('singleComputers') === String(clientId !== null) &&
          (!query.has('kind') || query.getAll('kind').includes(kind)) &&
          (!query.has('mine') || createdBy === 'The visitor'),
      ),
    ),
  )
}

test('rollouts and tasks are one timeline, filtered in the address', async () => {
  givenTimeline()
  const { address } = await openPage('/rollouts')
  const running = await screen.findByRole('list', { name: 'Running' })
  expect(hrefs(running)).toEqual(expect.arrayContaining(['/rollouts/r1', '/tasks/t1']))

  await click(screen.getByLabelText('Only mine'))

  await waitFor(() => expect(address()).toBe('/rollouts?mine=1'))
  await waitFor(() => expect(hrefs(screen.getByRole('list', { name: 'Running' }))).toEqual(['/tasks/t1']))
})

test('the tasks of single computers are one entry, and are listed for those who ask', async () => {
  givenTimeline()
  const { address } = await openPage('/rollouts')
  const running = await screen.findByRole('region', { name: 'Running' })
  await within(running).findByText('1 task of a single computer')
  expect(hrefs(running)).not.toContain('/tasks/t2')

  await click(button(running, 'Show them'))

  await waitFor(() => expect(address()).toBe('/rollouts?computers=single'))
  await waitFor(() => expect(hrefs(screen.getByRole('list', { name: 'Running' }))).toEqual(['/tasks/t2']))
  expect(screen.queryByText('1 task of a single computer')).toBeNull()
})

test('the address of the timeline keeps its filters', async () => {
  givenTimeline()
  await openPage('/rollouts?kind=Rollout')

  expect(hrefs(await screen.findByRole('list', { name: 'Running' }))).toEqual(['/rollouts/r1'])
})

test('the heat map has the numbers of the API, each cell leads to its patches, and a search is in the address', async () => {
  const overview = '/api/fleet/patch-overview'
  type Patch = AnswerOf<'GET /api/fleet/patches'>['items'][number]
  const all = example('GET /api/fleet/patches')
  const patch = all.items[0] as Patch
  fakeService()
    .on(
      `GET ${overview}`,
      example(`GET ${overview}`, {
        groups: [
          { groupId: 'g1', name: 'Branch', path: 'Configuration/Branch', computers: 6, scanned: 5, compliant: 0 },
        ],
        cells: [
          { severity: 'Critical', age: 'UpTo90Days', patches: 1, missing: 3, overdue: 2 },
          { severity: 'Important', age: 'UpTo7Days', patches: 1, missing: 5, overdue: 0 },
        ],
      }),
    )
    .on('GET /api/fleet/patches', ({ query }) => {
      const isFound = (query.get('search') ?? 'cve-2026-1234') === 'cve-2026-1234'
      return { ...all, ...listOf(isFound ? [patch] : []) }
    })
  const { address } = await openPage('/patches')

  const cells = await screen.findAllByRole('link', { name: /missing \d+ times/ })
  expect(cells.map(({ textContent }) => textContent).toSorted()).toEqual(['3', '5'])
  screen.getByRole('img', { name: 'Configuration/Branch: lack security patches: 5, not scanned: 1' })
  await click(screen.getByRole('link', { name: 'Critical, 31 to 90 days: missing 3 times, 1 patch' }))
  await waitFor(() => expect(address()).toMatch(/severity=Critical&age=UpTo90Days&state=missing/))
  await fill(screen.getByLabelText('Search'), 'cve-2026-1234')
  await waitFor(() => expect(address()).toMatch(/search=cve-2026-1234/))
  await screen.findByRole('link', { name: /^openssl 3\.0\.16/ })
})

test('a list that cannot be read says why, and is read again when asked to', async () => {
  const list = '/api/fleet/packages'
  const service = fakeService().on(`GET ${list}`, problem(500, 'InternalError', 'The service has failed.'))
  await openPage('/packages')
  await screen.findByText('The service has failed.')
  // The number with which the log of the service is searched.
  screen.getByText(/r-1/)
  service.on(`GET ${list}`, listOf<never>([]))

  await click(screen.getByRole('button', { name: 'Try again' }))

  await waitFor(() => expect(screen.queryByText('The service has failed.')).toBeNull())
})

test('an open list follows the events of the service', async () => {
  const list = '/api/fleet/packages'
  const known = example(`GET ${list}`).items[0] as AnswerOf<`GET ${typeof list}`>['items'][number]
  const service = fakeService().on(`GET ${list}`, listOf([{ ...known, name: 'Before' }]))
  await openPage('/packages')
  await screen.findByText(/^Before/)
  service.on(`GET ${list}`, listOf([{ ...known, name: 'After' }]))

  await FakeEventSource.emit({ type: 'muster.package.changed', data: {} })

  await screen.findByText(/^After/)
})
