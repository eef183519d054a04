import { expect, test } from 'vitest'
import { button, click, dialog, fill, isDisabled, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { affecting, example, problem } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/fleet/computers/{id}'
const explain = '/api/computer/{id}/explain'

type Page = AnswerOf<`GET ${typeof path}`>
type Package = Page['packages'][number]
type Explanation = AnswerOf<`GET ${typeof explain}`>

/** A computer with a package in each state, and issues. */
function givenComputer() {
  const known = example(`GET ${path}`)
  const [anyPackage] = known.packages as [Package]
  const software = { ...anyPackage, notApplicable: null }
  const notInstalled = { installationState: 'NotInstalled' } as const
  const [error] = known.latestErrors as [Page['latestErrors'][number]]
  const packages: Package[] = [
    { ...software, softwareId: 'p1', name: 'Example Editor', version: '4.2', status: 'Success' },
    { ...software, softwareId: 'p2', name: 'Card Reader Driver', version: '1.9', status: 'Failed', ...notInstalled },
    { ...software, softwareId: 'p3', name: 'Receipt Printer', version: '2.0', status: 'Pending' },
    { ...software, softwareId: 'p4', name: 'Scanner', status: 'Success', notApplicable: 'It is for Windows 11.' },
  ].map((one) => ({ ...one, assignedGroupPath: `Configuration/${one.softwareId}` }) as Package)
  const page: Page = {
    ...known,
    healthStatus: 'Warning',
    rebootRequired: true,
    operatingSystem: 'Debian GNU/Linux',
    osVersion: '12',
    issues: [
      { issue: 'low-disk', count: 1, detail: '/ 3.0 GB free' },
      { issue: 'pending-reboot', count: 1, detail: 'A restart is required' },
    ],
    packages,
    latestErrors: [{ ...error, softwareId: 'p2', output: 'no space left on device' }],
  }
  return { service: fakeService().on(`GET ${path}`, page), page }
}

test('the page of a computer shows what the API says, and its tabs are in the address', async () => {
  const { page } = givenComputer()
  const { address } = await openPage('/computers/17')

  for (const text of ['Warning', 'Restart required', 'alice', 'Debian GNU/Linux · 12', '192.0.2.17'])
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  for (const { detail } of page.issues) expect(screen.getAllByText(detail ?? '').length).toBeGreaterThan(0)
  for (const label of ['In place', 'Failed', 'Pending', 'Not applicable'])
    screen.getByRole('link', { name: `1 ${label}` })
  screen.getByRole('tab', { name: 'Issues (2)' })
  await click(screen.getByRole('tab', { name: 'Software' }))

  await row(/Card Reader Driver.*Failed.*Configuration\/p2/)
  const names = screen
    .getAllByRole('row')
    .map(({ textContent }) => /Driver|Printer|Editor|Scanner/.exec(textContent ?? '')?.[0])
  expect(names).toEqual([undefined, 'Driver', 'Printer', 'Editor', 'Scanner'])
  expect(address()).toBe('/computers/17/software')
})

test('the machine that Muster runs on is shown as that, and not as out of reach', async () => {
  const { service, page } = givenComputer()
  service.on(`GET ${path}`, {
    ...page,
    role: 'MasterServer',
    agentStatus: 'Unknown',
    healthStatus: 'Healthy',
    issues: [],
  })
  await openPage('/computers/17')

  await screen.findByText('Muster server')
  screen.getByText(/It needs no agent/)
  expect(screen.queryByText('No agent contact yet')).toBeNull()
})

test('why a package waits or failed is shown when its row is opened, as explained by the API', async () => {
  const { service } = givenComputer()
  const known = example(`GET ${explain}`)
  const [blocker] = known.blockers as [Explanation['blockers'][number]]
  const blockers: Explanation['blockers'] = [
    { ...blocker, reason: 'NotReleased', untilUtc: null, packages: [] },
    { ...blocker, reason: 'AgentSuspended', packages: [] },
  ]
  const failure = { failedUtc: '2026-03-14T09:26:53.000Z', errorText: 'The command ended with 1603.' }
  const nextContactUtc = new Date(Date.now() + 3_600_000).toISOString()
  const contact = { connectedNow: false, nextContactUtc }
  const waits: Explanation = { ...known, verdict: 'Waiting', blockers, failure: null, ...contact }
  const hasFailed: Explanation = { ...known, verdict: 'Failed', blockers: [], failure }
  service.on(`GET ${explain}`, ({ query }) => (query.get('packageId') === 'p3' ? waits : hasFailed))
  const { address } = await openPage('/computers/17/software')

  await click(await screen.findByRole('button', { name: /Receipt Printer/ }))
  await screen.findByText(/The package is not Ready to Install\./)
  const part = screen.getByRole('heading', { name: /What it waits for/ }).parentElement as HTMLElement
  expect(within(part).getAllByRole('listitem')).toHaveLength(2)
  screen.getByText(/^Next contact of the agent: /)
  await click(screen.getByRole('button', { name: /Card Reader Driver/ }))

  await screen.findByText('no space left on device')
  await screen.findByText(/The command ended with 1603\./)
  await waitFor(() => expect(address()).toBe('/computers/17/software?why=p2'))
})

test('a package that has failed is tried again, and not offered to be reinstalled', async () => {
  const retry = 'POST /api/packages/{id}/retry'
  const { service } = givenComputer()
  service.onAny(retry, () => affecting(1, example(retry, { trackingId: 't1' })))
  const { address } = await openPage('/computers/17/software?why=p2')

  await click(await screen.findByRole('button', { name: 'Retry now' }))
  expect(screen.queryByRole('button', { name: /^(Reinstall|Install now)$/ })).toBeNull()
  const panel = await dialog('Retry Card Reader Driver')
  await within(panel).findByText(/^Card Reader Driver is tried again/)
  await click(button(panel, 'Retry now'))

  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  expect(service.bodies(retry)).toEqual([{ computerIds: [17] }])
})

test('why a package is not applicable is shown with the condition, what it requires, and what requires it', async () => {
  const { service } = givenComputer()
  const known = example(`GET ${explain}`)
  const [blocker] = known.blockers as [Explanation['blockers'][number]]
  const sentence = 'It needs 8192 MB of memory; the computer has 4096 MB.'
  const requirement = { version: null, packageId: null }
  service.on(`GET ${explain}`, {
    ...known,
    ...{ verdict: 'NotApplicable', nextRunUtc: null, failure: null, cancellation: null },
    blockers: [{ ...blocker, reason: 'NotApplicable', untilUtc: null, packages: [], message: sentence }],
    requirements: [
      { ...requirement, name: 'runtime', state: 'Pulled', packageId: 'p9' },
      { ...requirement, name: 'fonts', state: 'Awaited' },
    ],
    requiredBy: [{ packageId: 'p8', name: 'Suite', version: '3.0', groupId: 'g1', groupPath: 'Office' }],
  })
  await openPage('/computers/17/software')

  await click(await screen.findByRole('button', { name: /Receipt Printer/ }))

  await screen.findByText('It is assigned, but it is for other computers. Nothing has failed.')
  screen.getByText(`It is for other computers. ${sentence}`)
  screen.getByText(/fonts \(missing; the package waits for it/)
  expect(screen.getByRole('link', { name: 'runtime' }).getAttribute('href')).toBe('/packages/p9')
  expect(screen.getByRole('link', { name: 'Suite 3.0' }).getAttribute('href')).toBe('/packages/p8')
})

/** A computer that can be changed and deleted, as its page shows it. */
function givenDeletableComputer() {
  const record = '/api/computer/{id}'
  const { service, page } = givenComputer()
  const [group] = page.groups as [Page['groups'][number]]
  const value = example(`GET ${record}`, { hostname: 'old-till' })
  const computer = new FakeResource(value, 'ComputerNotFound').serve(service, record)
  service
    .onAny(
      `DELETE ${record}`,
      computer.update(() => undefined, 1),
    )
    .on(`GET ${path}`, () =>
      computer.value
        ? { ...page, computer: { ...page.computer, hostname: computer.value.hostname }, groups: [group] }
        : problem(404, 'ComputerNotFound'),
    )
  return computer
}

test('a computer is deleted after its count is typed, unless somebody has changed it meanwhile', async () => {
  const computer = givenDeletableComputer()
  const { address } = await openPage('/computers/17')

  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const panel = await dialog('Delete old-till')
  await within(panel).findByText(/It leaves 1 group/)
  expect(isDisabled(button(panel, 'Delete'))).toBe(true)
  await fill(within(panel).getByLabelText(/Type the number of computers/), '1')
  computer.change({ hostname: 'new-till' })
  await click(button(panel, 'Delete'))
  await within(panel).findByText(/^Someone else has changed this since you looked\./)
  await within(panel).findByText(/Deletes new-till/)
  const untouched = computer.value
  await click(button(panel, 'Delete'))

  await waitFor(() => expect(address()).toBe('/computers'))
  expect([untouched?.hostname, computer.value]).toEqual(['new-till', undefined])
})

test('a computer that somebody else deletes is gone for everybody who has it open', async () => {
  const computer = givenDeletableComputer()
  const { address } = await openPage('/computers/17')
  await screen.findByRole('heading', { name: 'old-till' })
  computer.value = undefined

  await FakeEventSource.emit({ type: 'muster.computer.deleted', data: { computerId: 17 } })

  await screen.findByText('This computer does not exist')
  await click(screen.getByRole('link', { name: 'Go to computers' }))
  await waitFor(() => expect(address()).toBe('/computers'))
})
