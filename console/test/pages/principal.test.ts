import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, contentOf, dialog, fill, gone, isDisabled } from '../world/acts.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/admin/local-principals/{id}'
const page = '/admin/principals/local/7'

type Principal = ReturnType<typeof example<`GET ${typeof path}`>>

function givenPrincipal(changes: Partial<Principal> = {}) {
  const service = fakeService()
  const ordinary = { id: 7, description: 'Before', roles: ['computer.read'], isRevoked: false, expiresAtUtc: null }
  const value = example(`GET ${path}`, { ...ordinary, ...changes })
  const principal = new FakeResource(value, 'PrincipalNotFound').serve(service, path)
  service.onAny(
    `PATCH ${path}/revoke`,
    principal.update(({ body }, before) => ({ ...before, ...(body as Pick<Principal, 'isRevoked'>) })),
  )
  return { service, principal }
}

const dayInMs = 86_400_000

const description = () => screen.findByLabelText('Description')
const save = () => click(button(document.body, 'Save'))

test('description, expiry and roles of a principal can be changed', async () => {
  const { principal } = givenPrincipal()
  await openPage(page)

  await fill(await description(), 'After')
  await fill(screen.getByLabelText('Expires'), '2031-07-01T12:30')
  await click(await screen.findByLabelText('group.read'))
  await save()
  await screen.findByRole('heading', { name: 'After' })
  const saved = principal.value
  await click(button(document.body, '30 days'))
  await save()
  await waitFor(() => expect(principal.value?.expiresAtUtc).not.toBe(saved?.expiresAtUtc))
  const daysLeft = (Date.parse(principal.value?.expiresAtUtc ?? '') - Date.now()) / dayInMs
  await click(button(document.body, 'Never'))
  await save()

  await waitFor(() => expect(principal.value?.expiresAtUtc).toBeNull())
  expect(daysLeft).toBeCloseTo(30, 1)
  expect(saved).toMatchObject({ description: 'After', roles: ['computer.read', 'group.read'] })
  expect(saved?.expiresAtUtc).toBe(new Date('2031-07-01T12:30').toISOString())
})

test('after a concurrent change, roles of both people are merged, and the user chooses where both changed', async () => {
  const { principal } = givenPrincipal({ roles: ['computer.read', 'group.read'] })
  await openPage(page)
  await fill(await description(), 'Mine')
  await click(await screen.findByLabelText('group.read'))
  await click(screen.getByLabelText('scan.execute'))
  const expiresAtUtc = '2031-07-01T10:30:00.000Z'
  principal.change({ description: 'Theirs', roles: ['computer.read', 'group.read', 'pm.read'], expiresAtUtc })

  await save()
  const conflict = await dialog('Edited by someone else')
  await within(conflict).findByLabelText('Description, Yours: Mine')
  await expectAccessible(conflict)
  expect(within(conflict).queryAllByRole('radio', { checked: true })).toEqual([])
  expect(isDisabled(button(conflict, 'Save selection'))).toBe(true)
  within(conflict).getByRole('row', { name: /Roles.*computer\.read, pm\.read, scan\.execute$/ })
  within(conflict).getByRole('row', { name: /Expires.*2031/ })
  await click(within(conflict).getByLabelText('Description, Theirs: Theirs'))
  await click(button(conflict, 'Save selection'))

  await gone(conflict)
  expect(principal.value).toMatchObject({ description: 'Theirs', expiresAtUtc })
  expect(principal.value?.roles.toSorted()).toEqual(['computer.read', 'pm.read', 'scan.execute'])
})

test('a role that is removed while the conflict dialog is open is not granted again', async () => {
  const { principal } = givenPrincipal()
  await openPage(page)
  await click(await screen.findByLabelText('scan.execute'))
  principal.change({ roles: ['computer.read', 'pm.read'] })
  await save()
  const conflict = await dialog('Edited by someone else')
  await within(conflict).findByRole('row', { name: /pm\.read, scan\.execute$/ })

  principal.change({ roles: ['computer.read'] })
  await click(button(conflict, 'Save selection'))
  await within(conflict).findByRole('row', { name: /computer\.read, scan\.execute$/ })
  await click(button(conflict, 'Save selection'))

  await gone(conflict)
  expect(principal.value?.roles.toSorted()).toEqual(['computer.read', 'scan.execute'])
})

test('a principal can be revoked and restored without losing unsaved input', async () => {
  const { principal } = givenPrincipal({ description: 'Backup' })
  await openPage(page)
  await fill(await description(), 'Backup of the north')

  await click(button(document.body, 'Revoke'))
  await click(button(await dialog('Revoke Backup?'), 'Revoke'))
  await screen.findByText('Revoked')
  const revoked = principal.value
  await save()
  await screen.findByRole('heading', { name: 'Backup of the north' })
  await click(button(document.body, 'Restore'))
  await click(button(await dialog(/Restore/), 'Restore'))

  await screen.findByText('Active')
  expect(revoked).toMatchObject({ isRevoked: true, description: 'Backup' })
  expect(principal.value).toMatchObject({ isRevoked: false, description: 'Backup of the north' })
})

test('a principal that somebody else has just changed is not deleted before the user has seen the change', async () => {
  const { principal } = givenPrincipal({ description: 'Contested' })
  const { address } = await openPage(page)
  await description()
  await click(button(document.body, 'Delete'))
  const asked = await dialog(/Delete/)
  principal.change({ isRevoked: true, roles: ['admin.manage'] })

  await click(button(asked, 'Delete'))
  await within(asked).findByRole('row', { name: 'State Active Revoked' })
  await expectAccessible(asked)
  within(asked).getByRole('row', { name: 'Roles computer.read admin.manage' })
  expect(principal.value).toMatchObject({ isRevoked: true })
  expect(isDisabled(button(asked, 'Delete'))).toBe(true)
  await click(within(asked).getByLabelText('I have seen what changed'))
  await click(button(asked, 'Delete'))

  await waitFor(() => expect(address()).toBe('/admin/principals'))
  expect(principal.value).toBeUndefined()
})

test('a protected principal is deleted only after its client id is typed', async () => {
  const { principal } = givenPrincipal({ protected: true, clientId: 'client-7' })
  const { address } = await openPage(page)
  await description()

  await click(button(document.body, 'Delete'))
  const asked = await dialog('Delete Before?')
  const typed = within(asked).getByLabelText('Type client-7 to confirm')
  await fill(typed, 'something else')
  await expectAccessible(asked)
  expect(isDisabled(button(asked, 'Delete'))).toBe(true)
  await fill(typed, 'client-7')
  await click(button(asked, 'Delete'))

  await waitFor(() => expect(address()).toBe('/admin/principals'))
  expect(principal.value).toBeUndefined()
})

test('errors of the API are shown at their field, and the input is kept', async () => {
  const { service } = givenPrincipal()
  const errors = [{ in: 'body' as const, name: 'description', reason: 'must NOT have more than 1000 characters' }]
  service.on(`PUT ${path}`, problem(400, 'InvalidRequest', 'The request is invalid.', errors))
  const { address } = await openPage(page)
  const long = 'x'.repeat(1001)

  await fill(await description(), long)
  await save()
  await screen.findByText('must NOT have more than 1000 characters')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Description')))
  await click(screen.getByRole('link', { name: 'Roles' }))
  const asked = await dialog('Leave without saving?')
  await click(button(asked, 'Stay'))

  await gone(asked)
  expect(contentOf(await description())).toBe(long)
  expect(address()).toBe(page)
})

test('a secret is replaced with an overlap, both are shown with their last use, and the old one is deleted', async () => {
  const { service } = givenPrincipal()
  type Secret = ReturnType<typeof example<`GET ${typeof path}/secrets`>>[number]
  const [known] = example(`GET ${path}/secrets`)
  let secrets: Secret[] = [{ ...(known as Secret), id: 1, expiresAtUtc: null }]
  service.on(`GET ${path}/secrets`, () => secrets)
  service.on(`POST ${path}/secrets`, () => {
    const replaced = secrets.map((secret) => ({ ...secret, expiresAtUtc: '2099-01-01T00:00:00.000Z' }))
    secrets = [{ ...(known as Secret), id: 2, lastUsedUtc: null, expiresAtUtc: null }, ...replaced]
    return example(`POST ${path}/secrets`, { plaintextKey: 'the new secret', metricsToken: 'a token for metrics' })
  })
  service.on(`DELETE ${path}/secrets/{secretId}`, ({ params }) => {
    secrets = secrets.filter(({ id }) => id !== Number(params[1]))
    return undefined
  })
  await openPage(page)
  await screen.findByText(/^Last used: Mar/)
  expect(screen.queryByRole('button', { name: /Delete the secret/ })).toBeNull()

  await click(button(document.body, 'New secret'))
  const asked = await dialog('New secret')
  expect(contentOf(within(asked).getByLabelText('Previous secrets stay valid'))).toBe('24')
  await click(button(asked, 'Create secret'))
  const shown = await dialog('Store this secret now')
  expect(contentOf(within(shown).getByLabelText('Client secret'))).toBe('the new secret')
  expect(contentOf(within(shown).getByLabelText('Metrics token'))).toBe('a token for metrics')
  expect(isDisabled(button(shown, 'Continue'))).toBe(true)
  await click(within(shown).getByLabelText('I have stored the secret'))
  await click(button(shown, 'Continue'))
  await gone(shown)
  await screen.findByText(/^Valid until /)
  await screen.findByText('Last used: Never')
  await expectAccessible(screen.getByRole('main'))
  const [, old] = screen.getAllByRole('button', { name: /Delete the secret/ })
  await click(old as HTMLElement)
  await click(button(await dialog('Delete this secret?'), 'Delete'))

  await waitFor(() => expect(secrets.map(({ id }) => id)).toEqual([2]))
  await waitFor(() => expect(screen.queryByText(/^Valid until /)).toBeNull())
  expect(service.bodies(`POST ${path}/secrets`)).toEqual([{ previousValidHours: 24 }])
})
