import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { getLocalPrincipal } from '../../../src/features/principals/api/get-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../../src/features/principals/api/set-local-principal-revoked.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { updateLocalPrincipal } from '../../../src/features/principals/api/update-local-principal.ts'
import { eventually, inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, given, visit, withToken } = await openPages()

const read = async (id: number) => (await as('admin.manage').call(getLocalPrincipal, { params: { id } })).body
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

inBrowser('description, expiry and roles of a principal can be changed', async () => {
  const { id } = await given.localPrincipal({ description: 'Before', roles: ['computer.read'] })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)

  await page.getByText('Time zone: Europe/Berlin').waitFor()
  await page.getByLabel('Description').fill('After')
  await page.getByLabel('Expires').fill('2031-07-01T12:30')
  await page.getByLabel('group.read').check()
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'After' }).waitFor()
  expect(await read(id)).toMatchObject({
    description: 'After',
    roles: ['computer.read', 'group.read'],
    expiresAtUtc: '2031-07-01T10:30:00.000Z',
  })
  await page.getByRole('button', { name: 'Never' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await read(id)).expiresAtUtc).toBeNull()
})

inBrowser(
  'after a concurrent change, roles of both people are merged, and the user chooses where both changed',
  async () => {
    const { id } = await given.localPrincipal({ description: 'Before', roles: ['computer.read', 'group.read'] })
    const { page, goTo } = await visit()
    await goTo(`/admin/principals/local/${id}`)
    await page.getByLabel('Description').fill('Mine')
    await page.getByLabel('group.read').uncheck()
    await page.getByLabel('scan.execute').check()
    const roles = ['computer.read', 'group.read', 'pm.read'] as const
    const theirs = { description: 'Theirs', roles: [...roles], expiresAtUtc: '2031-07-01T10:30:00.000Z' }
    await as('admin.manage').call(updateLocalPrincipal, { params: { id }, body: theirs })

    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = dialogOf(page, 'Edited by someone else')
    await dialog.getByLabel('Description, Yours: Mine').waitFor()
    await screenshot(page, 'conflict')
    expect(await violations(page)).toEqual([])
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Save selection' }).isDisabled()).toBe(true)
    await dialog.getByRole('row', { name: /Roles.*computer\.read, pm\.read, scan\.execute$/ }).waitFor()
    await dialog.getByRole('row', { name: /Expires.*2031/ }).waitFor()
    await dialog.getByLabel('Description, Theirs: Theirs').check()
    await dialog.getByRole('button', { name: 'Save selection' }).click()

    await dialog.waitFor({ state: 'hidden' })
    expect(await read(id)).toMatchObject({ description: 'Theirs', expiresAtUtc: theirs.expiresAtUtc })
    expect((await read(id)).roles.toSorted()).toEqual(['computer.read', 'pm.read', 'scan.execute'])
  },
)

inBrowser('a role that is removed while the conflict dialog is open is not granted again', async () => {
  const { id } = await given.localPrincipal({ description: 'Before', roles: ['computer.read'] })
  const change = (roles: ('computer.read' | 'pm.read')[]) =>
    as('admin.manage').call(updateLocalPrincipal, {
      params: { id },
      body: { description: 'Before', roles, expiresAtUtc: null },
    })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)
  await page.getByLabel('scan.execute').check()
  await change(['computer.read', 'pm.read'])
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = dialogOf(page, 'Edited by someone else')
  await dialog.getByRole('row', { name: /pm\.read, scan\.execute$/ }).waitFor()

  await change(['computer.read'])
  await dialog.getByRole('button', { name: 'Save selection' }).click()
  await dialog.getByRole('row', { name: /computer\.read, scan\.execute$/ }).waitFor()
  await dialog.getByRole('button', { name: 'Save selection' }).click()

  await dialog.waitFor({ state: 'hidden' })
  expect((await read(id)).roles.toSorted()).toEqual(['computer.read', 'scan.execute'])
})

inBrowser('a principal can be revoked and restored without losing unsaved input', async () => {
  const { id } = await given.localPrincipal({ description: 'Backup' })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)
  await page.getByLabel('Description').fill('Backup of the north')

  await page.getByRole('button', { name: 'Revoke' }).click()
  await dialogOf(page, 'Revoke Backup?').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('main').getByText('Revoked', { exact: true }).waitFor()
  expect(await read(id)).toMatchObject({ isRevoked: true, description: 'Backup' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Backup of the north' }).waitFor()
  await page.getByRole('button', { name: 'Restore' }).click()
  await dialogOf(page, /Restore/)
    .getByRole('button', { name: 'Restore' })
    .click()

  await page.getByRole('main').getByText('Active', { exact: true }).waitFor()
  expect(await read(id)).toMatchObject({ isRevoked: false, description: 'Backup of the north' })
})

inBrowser(
  'a principal that somebody else has just changed is not deleted before the user has seen the change',
  async () => {
    const { id } = await given.localPrincipal({ description: 'Contested' })
    const { page, goTo } = await visit()
    await goTo(`/admin/principals/local/${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = dialogOf(page, /Delete/)
    await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true } })
    const theirs = { description: 'Contested', roles: ['admin.manage' as const], expiresAtUtc: null }
    await as('admin.manage').call(updateLocalPrincipal, { params: { id }, body: theirs })

    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('row', { name: 'State Active Revoked' }).waitFor()
    await dialog.getByRole('row', { name: 'Roles computer.read admin.manage' }).waitFor()
    await screenshot(page, 'delete-after-conflict')
    expect(await violations(page)).toEqual([])
    expect(await read(id)).toMatchObject({ isRevoked: true })
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByLabel('I have seen what changed').check()
    await dialog.getByRole('button', { name: 'Delete' }).click()

    await page.getByRole('heading', { name: 'Principals' }).waitFor()
    expect((await as('admin.manage').call(getLocalPrincipal, { params: { id } })).status).toBe(404)
  },
)

inBrowser('a protected principal is deleted only after its client id is typed', async () => {
  const { id, clientId } = await given.localPrincipal({ description: 'Way in', isProtected: true })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)

  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = dialogOf(page, 'Delete Way in?')
  await dialog.getByLabel(`Type ${clientId} to confirm`).fill('something else')
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await screenshot(page, 'delete-protected')
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel(`Type ${clientId} to confirm`).fill(clientId)
  await dialog.getByRole('button', { name: 'Delete' }).click()

  await page.getByRole('heading', { name: 'Principals' }).waitFor()
  expect((await as('admin.manage').call(getLocalPrincipal, { params: { id } })).status).toBe(404)
})

inBrowser('errors of the API are shown at their field, and the input is kept', async () => {
  const { id } = await given.localPrincipal({ description: 'Short' })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)
  const long = 'x'.repeat(1001)

  await page.getByLabel('Description').fill(long)
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('must NOT have more than 1000 characters', { exact: true }).waitFor()
  await page.getByLabel('Description').and(page.locator(':focus')).waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe(long)
  await page.getByRole('link', { name: 'Roles' }).click()
  await dialogOf(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Description').inputValue()).toBe(long)
})

inBrowser(
  'a secret is replaced with an overlap, both are shown with their last use, and the old one is deleted',
  async () => {
    const client = await given.localPrincipal({ description: 'Replaced', roles: ['computer.read'] })
    const ask = async (client_secret: string) => {
      const body = { grant_type: 'client_credentials', client_id: client.clientId, client_secret }
      return (await withToken(undefined).call(requestToken, { body })).status
    }
    await ask(client.secret)
    const { page, goTo } = await visit()
    await goTo(`/admin/principals/local/${client.id}`)
    await page.getByRole('heading', { name: 'Secrets' }).waitFor()
    expect(await page.getByRole('button', { name: /Delete the secret/ }).count()).toBe(0)

    await page.getByRole('button', { name: 'New secret' }).click()
    const choice = dialogOf(page, 'New secret')
    expect(await choice.getByLabel('Previous secrets stay valid').inputValue()).toBe('24')
    await screenshot(page, 'new-secret')
    await choice.getByRole('button', { name: 'Create secret' }).click()
    const shown = dialogOf(page, 'Store this secret now')
    const created = await shown.getByLabel('Client secret', { exact: true }).inputValue()
    await shown.getByLabel('I have stored the secret').check()
    await shown.getByRole('button', { name: 'Continue' }).click()
    await shown.waitFor({ state: 'hidden' })
    await page.getByText(/^Valid until /).waitFor()
    await page.getByText('Last used: Never').waitFor()
    await screenshot(page, 'secrets')
    expect(await violations(page)).toEqual([])
    expect([await ask(client.secret), await ask(created)]).toEqual([200, 200])

    await page
      .getByRole('button', { name: /Delete the secret/ })
      .last()
      .click()
    await dialogOf(page, 'Delete this secret?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^Valid until /).waitFor({ state: 'hidden' })
    expect([await ask(client.secret), await ask(created)]).toEqual([401, 200])
  },
)
