import { expect, test } from 'vitest'
import type { View } from '../../src/api/views.ts'
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

const views = 'GET /api/views'
const create = 'POST /api/views'
const update = 'PATCH /api/views/{id}'
const remove = 'DELETE /api/views/{id}'

/** A service that stores views. */
function givenViews(...stored: readonly Partial<View>[]) {
  const [known] = example(views).items as [View]
  const plain: View = { ...known, filters: {}, sort: 'hostname', descending: false, columns: [], density: null }
  const all: View[] = stored.map((view, at) => ({ ...plain, sharedWith: [], id: `view-${at}`, ...view }))
  return givenFleet()
    .on(views, () => listOf(all))
    .on(create, ({ body }) => {
      const view = { ...plain, sharedWith: [], ...body, id: `view-${all.length}` } as View
      all.push(view)
      return view
    })
    .on(update, ({ body }) => ({ ...(all[0] as View), ...body }) as View)
}

test('a view keeps filters, columns, order and density under a name', async () => {
  const service = givenViews()
  const { address } = await openPage('/computers?search=desk-00&sort=loggedOnUser')
  await total(9)
  const column = (name: string) => screen.queryByRole('columnheader', { name })

  await click(button(document.body, 'Columns'))
  await click(await screen.findByRole('checkbox', { name: 'Operating system' }))
  await click(screen.getByText('Compact'))
  await waitFor(() => expect(column('Operating system')).toBeNull())
  await click(button(document.body, 'Views'))
  await fill(await screen.findByLabelText('Name of the view'), 'Few by user')
  await click(button(document.body, 'Save view'))
  await waitFor(() => expect(service.bodies(create)).toHaveLength(1))
  expect(service.bodies(create)[0]).toMatchObject({
    ...{ page: 'computers', name: 'Few by user', filters: { search: 'desk-00' }, sort: 'loggedOnUser' },
    ...{ density: 'Compact', sharedWith: [] },
  })
  await screen.findByRole('button', { name: 'View: Few by user' })

  await click(screen.getByRole('link', { name: 'Computers' }))
  await total(300)
  expect(address()).toBe('/computers')
  await click(button(document.body, 'Views'))
  await click(await screen.findByRole('link', { name: 'Few by user' }))

  await total(9)
  expect(column('User')?.getAttribute('aria-sort')).toBe('ascending')
  expect(column('Operating system')).toBeNull()
})

test('people rename and share their views, and see who has shared others', async () => {
  const service = givenViews(
    { name: 'Mine', isOwn: true, mayChange: true, filters: { healthStatus: ['Warning'] } },
    { name: 'Of Ada', isOwn: false, mayChange: false, savedBy: 'ada', sharedWith: ['computer.read'] },
  ).on(remove, () => undefined)
  await openPage('/computers')
  await total(300)

  await click(button(document.body, 'Views'))
  await screen.findByText(/Shared by ada/)
  expect(screen.queryByRole('button', { name: 'Rename or share the view Of Ada' })).toBeNull()
  await click(await screen.findByRole('button', { name: 'Rename or share the view Mine' }))
  await click(screen.getByRole('combobox', { name: 'Shared with roles' }))
  await click(await screen.findByRole('option', { name: 'computer.read' }))
  await click(button(document.body, 'Change view'))

  // The filters of the view stay, whatever list is shown.
  await waitFor(() => expect(service.bodies(update)).toEqual([{ name: 'Mine', sharedWith: ['computer.read'] }]))
})

test('the list filters by properties with many values, and each choice is removed alone', async () => {
  const values = 'GET /api/fleet/computers/values'
  const fields = 'GET /api/custom-field-configuration'
  const asked: string[] = []
  givenFleet()
    .on(fields, [{ slot: 'Custom01', designation: 'Room', isActive: true, position: 1 }])
    .on(facets, ({ query }) => {
      asked.push(String(query))
      return example(facets)
    })
    .on(values, ({ query }) =>
      query.get('property') === 'customField'
        ? [{ value: 'Custom01=4.17', name: '4.17', count: 2 }]
        : [{ value: 'Desk 500', name: 'Desk 500', count: 3 }],
    )
  const { address } = await openPage('/computers')
  await total(300)

  await click(button(document.body, 'Model'))
  await click(await screen.findByLabelText('Desk 500, 3 computers'))
  await waitFor(() => expect(address()).toBe('/computers?model=Desk+500'))
  await click(button(document.body, 'Custom field'))
  await click(await screen.findByLabelText('4.17, 2 computers'))

  await waitFor(() => expect(address()).toBe('/computers?model=Desk+500&customField=Custom01%3D4.17'))
  await waitFor(() => expect(asked.at(-1)).toBe('model=Desk+500&customField=Custom01%3D4.17'))
  await click(await screen.findByRole('button', { name: 'Remove filter Model: Desk 500' }))
  expect(address()).toBe('/computers?customField=Custom01%3D4.17')
  await click(await screen.findByRole('button', { name: 'Remove filter Room: 4.17' }))
  expect(address()).toBe('/computers')
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
