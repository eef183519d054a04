import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const issuePage = '/api/fleet/issues/{issue}'
const computers = '/api/fleet/issues/{issue}/computers'
const statistics = '/api/computer/statistics'

type Issue = AnswerOf<`GET ${typeof issuePage}`>
type Counts = NonNullable<AnswerOf<`GET ${typeof statistics}`>['counts']>

const failure = {
  ...(example(`GET ${issuePage}`).failures[0] as Issue['failures'][number]),
  packageId: 'p1',
  packageName: 'Editor',
  packageVersion: '1.0',
}

test('the overview of issues shows the counts of the API with their age, and the failures that are shared', async () => {
  const counts = example(`GET ${statistics}`).counts as Counts
  const issues: Counts['issues'] = [
    { issue: 'pending-reboot', count: 2 },
    { issue: 'low-disk', count: 1_005 },
  ]
  const service = fakeService()
    .on(`GET ${statistics}`, example(`GET ${statistics}`, { counts: { ...counts, computers: 2_010, issues } }))
    .on(`GET ${issuePage}`, example(`GET ${issuePage}`, { failures: [failure] }))
  await openPage('/issues')

  const lowDisk = await row(/Low disk space.*1,005.*50\s?%/)
  expect(within(lowDisk).getByRole('link', { name: '1,005' }).getAttribute('href')).toBe('/computers?issue=low-disk')
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent ?? '')
  expect(rows.findIndex((text) => text.includes('1,005'))).toBe(1)
  screen.getByText(/^as of/i)
  await screen.findByRole('button', { name: /No space left on.*Editor 1\.0/ })
  expect(service.sent.filter(({ path }) => path.startsWith('/api/')).length).toBeLessThanOrEqual(5)
})

test('an issue leads to what its computers have in common, and from there to the computers', async () => {
  type Computer = AnswerOf<`GET ${typeof computers}`>['items'][number]
  const known = example(`GET ${computers}`).items[0] as Computer
  const cause = example(`GET ${issuePage}`).causes[0] as Issue['causes'][number]
  const disks = ['/var', '/var', '/var', '/home', '/home']
  const all = disks.map(
    (disk, id): Computer => ({ ...known, id, hostname: `till-${id}`, detail: `${disk} 2.0 GB free` }),
  )
  fakeService()
    .on(
      `GET ${issuePage}`,
      example(`GET ${issuePage}`, {
        issue: 'low-disk',
        computers: 5,
        causeKind: 'Volume',
        causes: [
          { ...cause, causeId: '/var', name: '/var', count: 3 },
          { ...cause, causeId: '/home', name: '/home', count: 2 },
        ],
      }),
    )
    .on(`GET ${computers}`, ({ query }) =>
      listOf(all.filter(({ detail }) => detail.startsWith(query.get('causeId') ?? ''))),
    )
  const links = () => screen.queryAllByRole('link', { name: /^till-/ }).map(({ textContent }) => textContent)
  const { address } = await openPage('/issues/low-disk')

  await screen.findByText('5 computers now')
  screen.getByRole('heading', { name: 'All 5 computers' })
  await waitFor(() => expect(links()).toHaveLength(5))
  await expectAccessible(screen.getByRole('main'))
  await click(screen.getByRole('button', { name: 'Show computers: /home' }))
  await screen.findByRole('heading', { name: 'Computers with /home' })
  await waitFor(() => expect(links()).toEqual(['till-3', 'till-4']))
  expect(address()).toBe('/issues/low-disk?cause=%2Fhome')
  expect(screen.getByRole('link', { name: 'Open in computers' }).getAttribute('href')).toBe('/computers?issue=low-disk')
})

test('the address of an issue keeps the cause that was chosen', async () => {
  const cause = example(`GET ${issuePage}`).causes[0] as Issue['causes'][number]
  const causes = [{ ...cause, causeId: '/home', name: '/home' }]
  const service = fakeService().on(`GET ${issuePage}`, example(`GET ${issuePage}`, { causes }))

  await openPage('/issues/low-disk?cause=%2Fhome')

  await screen.findByRole('heading', { name: 'Computers with /home' })
  const asked = service.sent.filter(({ name }) => name === `GET ${computers}`)
  expect(asked.map(({ query }) => query.get('causeId'))).toEqual(['/home'])
})

test('a failed deployment leads to its causes, and a cause is retried with one request', async () => {
  const retry = '/api/packages/{id}/retry'
  const denied = { ...failure, causeId: 'c2', cause: 'access denied', count: 1, exampleOutput: 'setup: access denied' }
  const service = fakeService()
    .on(
      `GET ${issuePage}`,
      example(`GET ${issuePage}`, { issue: 'failed-deployment', computers: 4, failures: [failure, denied] }),
    )
    .onAny(`POST ${retry}`, ({ query }) => {
      const answer = example(`POST ${retry}`, { trackingId: 't1', computerCount: 1 })
      return query.has('dryRun') ? affecting(1, answer) : answer
    })
  const { address } = await openPage('/issues/failed-deployment')

  await screen.findByText('4 computers now')
  await click(screen.getByRole('button', { name: /Access denied.*Exit code 1603.*Editor 1\.0/ }))
  await screen.findByText('setup: access denied')
  await click(button(document.body, 'Retry on 1 computer'))
  const panel = await dialog('Retry Editor')
  await within(panel).findByText(/on 1 computer/)
  await click(button(panel, 'Retry'))

  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  expect(service.bodies(`POST ${retry}`)).toEqual([{ causeId: 'c2' }])
})
