import { expect, test } from 'vitest'
import { button, click, dialog, fill, press, row } from '../world/acts.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const list = 'GET /api/fleet/computers'
const facets = 'GET /api/fleet/computers/facets'
const fleetSize = 300

/** Computers that have never reported but for the last two, as the service filters and sorts them. */
function givenFleet() {
  const known = example(list)
  const computer = known.items[0] as (typeof known.items)[number]
  const fleet = Array.from({ length: fleetSize }, (_, at): typeof computer => ({
    ...{ ...computer, id: at + 1, hostname: `desk-${String(at + 1).padStart(3, '0')}` },
    agentStatus: at < fleetSize - 2 ? 'Unknown' : 'Reporting',
  }))
  return fakeService()
    .on(facets, example(facets, { agentStatus: [{ value: 'Unknown', count: fleetSize - 2 }] }))
    .on(list, ({ query }) => {
      const found = fleet.filter(
        ({ hostname, agentStatus }) =>
          hostname.includes(query.get('search') ?? '') && (query.get('agentStatus') ?? agentStatus) === agentStatus,
      )
      if (query.has('descending')) found.reverse()
      const skip = Number(query.get('skip') ?? 0)
      return { ...known, ...listOf(found), items: found.slice(skip, skip + Number(query.get('top'))) }
    })
}

test('the machine that Muster runs on is listed as that', async () => {
  const known = example(list)
  const computer = known.items[0] as (typeof known.items)[number]
  const server = { ...computer, role: 'MasterServer', agentStatus: 'Unknown', healthStatus: 'Healthy' } as const
  fakeService().on(list, { ...known, ...listOf([server]) })
  await openPage('/computers')

  await row(/Muster server.*No agent/)
})

const total = (count: number) => screen.findByText(`${count} computers`, { selector: '[role=status]' })

const firstRow = () => screen.getAllByRole('row')[1]?.textContent

test('the list shows the numbers of the API; search, facets and order are in the address, and back returns to them', async () => {
  givenFleet()
  const { address, goBack } = await openPage('/computers')
  await total(300)

  const filters = within(document.querySelector('main search') as HTMLElement)
  await click(filters.getByRole('button', { name: 'Agent' }))
  await click(await screen.findByLabelText('Never reported, 298 computers'))
  await total(298)
  expect(address()).toBe('/computers?agentStatus=Unknown')
  await fill(filters.getByRole('searchbox'), 'desk-00')
  await total(9)
  await click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(firstRow()).toContain('desk-009'))
  expect(address()).toContain('descending=true')
  const csv = screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
  expect(csv).toBe('/api/fleet/computers/csv?search=desk-00&agentStatus=Unknown&descending=true')

  await goBack()
  await waitFor(() => expect(firstRow()).toContain('desk-001'))
  await total(9)
  await goBack()
  await total(298)
})

test('all computers that match are selected, not only those that are loaded', async () => {
  const rescan = 'POST /api/fleet/computers/rescan'
  const service = givenFleet().on(rescan, ({ body }) =>
    affecting(fleetSize, example(rescan, { requested: body.computerIds.length, trackingId: 't1' })),
  )
  const { address } = await openPage('/computers?search=desk')
  const first = await row(/desk-001/)
  first.focus()

  await press(' ', first)
  await click(await screen.findByRole('button', { name: 'Select all 300 that match' }))
  await screen.findByText('300 computers selected')
  await click(button(document.body, 'Rescan'))
  const panel = await dialog('Rescan computers')
  await within(panel).findByText(/Requests the complete inventory of 300 computers/)
  await fill(within(panel).getByLabelText('Type the number of computers (300) to confirm'), '300')
  await click(button(panel, 'Rescan'))

  await waitFor(() => expect(address()).toBe('/tasks/t1'))
  expect(service.bodies(rescan).map(({ computerIds }) => computerIds.length)).toEqual([fleetSize])
})

test('a view keeps filters, columns and order under a name', async () => {
  givenFleet()
  const { address } = await openPage('/computers?search=desk-00&sort=loggedOnUser')
  await total(9)
  const column = (name: string) => screen.queryByRole('columnheader', { name })

  await click(button(document.body, 'Columns'))
  await click(await screen.findByRole('checkbox', { name: 'Operating system' }))
  await waitFor(() => expect(column('Operating system')).toBeNull())
  await click(button(document.body, 'Views'))
  await fill(await screen.findByLabelText('Name of the view'), 'Few by user')
  await click(button(document.body, 'Save view'))
  await click(screen.getByRole('link', { name: 'Computers' }))
  await total(300)
  expect(address()).toBe('/computers')
  await click(button(document.body, 'Views'))
  await click(await screen.findByRole('link', { name: 'Few by user' }))

  await total(9)
  expect(column('User')?.getAttribute('aria-sort')).toBe('ascending')
  expect(column('Operating system')).toBeNull()
})

test('the next contact of computers that are not connected is a column to choose, by which nobody can sort', async () => {
  const known = example(list)
  const computer = known.items[0] as (typeof known.items)[number]
  const nextContactUtc = '2026-05-05T05:05:05.000Z'
  fakeService().on(list, {
    ...known,
    ...listOf([
      { ...computer, id: 1, hostname: 'desk-1', connectedNow: false, nextContactUtc },
      { ...computer, id: 2, hostname: 'desk-2', connectedNow: true, nextContactUtc: null },
    ]),
  })
  await openPage('/computers')
  await row(/desk-1/)

  expect(screen.queryByRole('columnheader', { name: 'Next contact' })).toBeNull()
  await click(button(document.body, 'Columns'))
  await click(await screen.findByRole('checkbox', { name: 'Next contact' }))

  const header = await screen.findByRole('columnheader', { name: 'Next contact' })
  expect(within(header).queryByRole('button')).toBeNull()
  const times = () =>
    [...document.querySelectorAll(`time[datetime="${nextContactUtc}"]`)].map((one) => one.closest('tr'))
  await waitFor(() => expect(times().map((found) => found?.textContent)).toEqual([expect.stringContaining('desk-1')]))
})
