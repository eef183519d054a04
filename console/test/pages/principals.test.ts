import { expect, test } from 'vitest'
import { button, click, contentOf, fill, row, select } from '../world/acts.ts'
import { example, type FakeService, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const local = '/api/admin/local-principals'
const ofProviders = '/api/admin/principals'

function givenPrincipals(): FakeService {
  const known = { isRevoked: false, expiresAtUtc: null, protected: false }
  const localOf = (id: number, description: string, changes = {}) =>
    example(`GET ${local}/{id}`, { ...known, id, description, roles: [], ...changes })
  const userOf = (id: number, displayName: string, changes = {}) =>
    example(`GET ${ofProviders}/{id}`, { id, displayName, protected: false, roles: [], ...changes })
  return fakeService()
    .on(`GET ${local}`, [
      localOf(1, 'Inventory report', { roles: ['computer.read'] }),
      localOf(2, 'Old migration', { expiresAtUtc: '2025-01-01T00:00:00.000Z' }),
      localOf(3, 'Way in', { roles: ['admin.manage', 'pm.read'], protected: true }),
    ])
    .on(`GET ${ofProviders}`, [
      userOf(4, 'Ada Lovelace', { subjectType: 'user', subjectId: 'ada', roles: ['pm.read'] }),
      userOf(5, 'Scanner', { subjectType: 'client', subjectId: 'scanner' }),
    ])
}

const shown = () =>
  screen
    .queryAllByRole('row')
    .flatMap((row) => [...row.querySelectorAll('a')])
    .map(({ textContent }) => textContent)

const shows = (...names: string[]) => waitFor(() => expect(shown()).toEqual(names))

test('principals of all kinds are found by search, kind and state, and sorted', async () => {
  givenPrincipals()
  const { address } = await openPage('/admin/principals')
  const everybody = ['Ada Lovelace', 'Inventory report', 'Old migration', 'Scanner', 'Way in']
  await shows(...everybody)

  await select(screen.getByLabelText('State'), 'Expired')
  await shows('Old migration')
  await select(screen.getByLabelText('State'), 'Protected')
  await shows('Way in')
  await click(button(document.body, 'Clear filters'))
  await shows(...everybody)
  await select(screen.getByLabelText('Kind'), 'Client')
  await shows('Scanner')
  await select(screen.getByLabelText('Kind'), 'All')
  await shows(...everybody)
  await click(button(document.body, 'Name'))
  await shows(...everybody.toReversed())
  await fill(screen.getByRole('searchbox'), 'PM.READ')
  await shows('Way in', 'Ada Lovelace')
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
  await waitFor(() => expect(address()).toMatch(/search=PM\.READ/))

  await fill(screen.getByRole('searchbox'), 'nobody is called so')
  await screen.findByText('No matches')
})

test('times are shown in the zone of the browser, as people in Germany write them', async () => {
  givenPrincipals()
  await openPage('/admin/principals', { language: 'de' })

  within(await row(/Old migration/)).getByText('01.01.2025, 01:00')
})

test('the address of the list keeps its filters and its order', async () => {
  givenPrincipals()
  await openPage('/admin/principals?search=PM.READ&sort=-name')

  await shows('Way in', 'Ada Lovelace')
})

async function fillUser(subjectId: string): Promise<void> {
  await fill(await screen.findByLabelText(/^Subject ID/), subjectId)
  await fill(screen.getByLabelText('Display name'), 'Grace Hopper')
  await fill(screen.getByLabelText('Issuer'), 'https://login.example.org/')
  await click(await screen.findByLabelText('group.read'))
  await click(button(document.body, 'Create'))
}

test('a user of an identity provider is added with the chosen roles', async () => {
  const grace = example(`GET ${ofProviders}/{id}`, { id: 6, displayName: 'Grace Hopper' })
  const service = givenPrincipals().on(`POST ${ofProviders}`, grace).on(`GET ${ofProviders}/{id}`, grace)
  const { address } = await openPage('/admin/principals/new?kind=user')

  await fillUser('grace')

  await screen.findByRole('heading', { name: 'Grace Hopper' })
  expect(address()).toBe('/admin/principals/provider/6')
  expect(service.bodies(`POST ${ofProviders}`)).toMatchObject([
    { isUser: true, subjectId: 'grace', displayName: 'Grace Hopper', roles: ['group.read'] },
  ])
})

test('adding a user of an identity provider does not overwrite an existing one', async () => {
  const service = givenPrincipals().on(
    `GET ${ofProviders}/{id}`,
    example(`GET ${ofProviders}/{id}`, { id: 4, displayName: 'Ada Lovelace' }),
  )
  await openPage('/admin/principals/new?kind=user')

  await fillUser('ada')
  await screen.findByText(/A principal with this subject ID/)
  await click(screen.getByRole('link', { name: 'Open principal' }))
  await click(await screen.findByRole('button', { name: 'Leave' }))

  await screen.findByRole('heading', { name: 'Ada Lovelace' })
  expect(service.bodies(`POST ${ofProviders}`)).toEqual([])
})

test('a subject id that the API refuses is reported with its message, and the input is kept', async () => {
  const reason = "body 'subjectId' must NOT have more than 255 characters"
  givenPrincipals().on(
    `POST ${ofProviders}`,
    problem(400, 'InvalidRequest', reason, [{ in: 'body', name: 'subjectId', reason }]),
  )
  await openPage('/admin/principals/new?kind=client')
  await fill(await screen.findByLabelText('Display name'), 'Typed')
  await fill(screen.getByLabelText(/^Subject ID/), 'x'.repeat(256))

  await click(button(document.body, 'Create'))

  await screen.findAllByText(reason)
  expect(screen.getByLabelText(/^Subject ID/).getAttribute('aria-invalid')).toBe('true')
  expect(contentOf(screen.getByLabelText('Display name'))).toBe('Typed')
})

test.each([
  ['', 'Describe what it is used for.', /^Description/],
  ['?kind=user', 'Enter the subject ID.', /^Subject ID/],
])('an empty form%s creates no principal, and the first missing field gets the focus', async (kind, message, field) => {
  const service = givenPrincipals()
  await openPage(`/admin/principals/new${kind}`)
  await screen.findByText('Without a role, almost every request is refused.')

  await click(button(document.body, 'Create'))

  await screen.findByText(message)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(field)))
  expect([...service.bodies(`POST ${local}`), ...service.bodies(`POST ${ofProviders}`)]).toEqual([])
})

test('a principal that does not exist offers the way to the list', async () => {
  givenPrincipals().on(`GET ${local}/{id}`, problem(404, 'PrincipalNotFound'))
  await openPage('/admin/principals/local/999999')

  await click(await screen.findByRole('link', { name: 'Go to principals' }))

  await screen.findByRole('link', { name: 'Ada Lovelace' })
})
