import { expect } from 'vitest'
import { getPrincipal } from '../../../src/features/principals/api/get-principal.ts'
import { listLocalPrincipals } from '../../../src/features/principals/api/list-local-principals.ts'
import { listPrincipals } from '../../../src/features/principals/api/list-principals.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { eventually, inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { address, as, given, visit } = await openPages()

await given.localPrincipal({ description: 'Inventory report', roles: ['computer.read'] })
await given.localPrincipal({ description: 'Old migration', expiresAt: new Date('2025-01-01') })
await given.localPrincipal({ description: 'Way in', roles: ['admin.manage'], isProtected: true })
await given.identityPrincipal({ displayName: 'Ada Lovelace', subjectId: 'ada', roles: ['pm.read'] })
await given.identityPrincipal({ displayName: 'Scanner', subjectType: 'client', subjectId: 'scanner' })

inBrowser('principals of all kinds are found by search, kind and state, and sorted', async () => {
  const { page, goTo } = await visit()
  const names = async () =>
    (await page.getByRole('row').getByRole('link').allTextContents()).filter((name) => name !== 'Unnamed')
  await goTo('/admin/principals')
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await page.getByRole('columnheader', { name: 'Last used' }).waitFor()
  await screenshot(page, 'principal-list')

  await page.getByLabel('State').selectOption('Expired')
  await eventually(names).toEqual(['Old migration'])
  await page.getByLabel('State').selectOption('Protected')
  await eventually(names).toEqual(['Way in'])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Kind').selectOption('Client')
  await eventually(names).toEqual(['Scanner'])
  await page.getByLabel('Kind').selectOption('All')
  await page.getByRole('button', { name: 'Name' }).click()
  await eventually(names).toEqual([
    'Way in',
    'The visitor',
    'Scanner',
    'Old migration',
    'Inventory report',
    'Ada Lovelace',
  ])
  await page.getByRole('searchbox').pressSequentially('PM.READ')
  await eventually(async () => (await names()).includes('Scanner')).toBe(false)

  await page.reload()
  await eventually(names).toEqual(['The visitor', 'Ada Lovelace'])
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
  await page.getByRole('searchbox').fill('nobody is called so')
  await page.getByText('No matches').waitFor()
})

inBrowser('a local principal is created with the chosen roles, and its secret is shown once and works', async () => {
  const { page, context, goTo } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await goTo('/admin/principals')
  await page.getByRole('link', { name: 'Add principal' }).click()
  await page.getByLabel('Description').fill('Nightly job')
  await page.getByLabel('computer.read').check()
  await page.getByText('Reboot computers.').waitFor()
  const suggested = Date.parse(await page.getByLabel('Expires').inputValue())
  expect(Math.abs(suggested - Date.now() - 365 * 86_400_000)).toBeLessThan(2 * 86_400_000)
  await screenshot(page, 'new-principal')
  await page.getByRole('button', { name: '30 days' }).click()

  await page.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Store this secret now' })
  await dialog.getByText('It is shown only once').waitFor()
  await screenshot(page, 'secret-shown-once')
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Copy: Client secret' }).click()
  await dialog.getByRole('button', { name: 'Copied: Client secret' }).waitFor()
  const client_secret = await page.evaluate<string>('navigator.clipboard.readText()')
  const client_id = await dialog.getByLabel('Client ID', { exact: true }).inputValue()
  await dialog.getByLabel('I have stored the secret').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('heading', { name: 'Nightly job' }).waitFor()
  expect(await page.content()).not.toContain(client_secret)
  const token = await fetch(`${address}${requestToken.path}`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  })
  expect(token.status).toBe(200)
})

inBrowser('adding a user of an identity provider does not overwrite an existing one', async () => {
  const { page, goTo } = await visit()
  const fill = async (subjectId: string) => {
    await goTo('/admin/principals/new?kind=user')
    await page.getByLabel('Subject ID').fill(subjectId)
    await page.getByLabel('Display name').fill('Grace Hopper')
    await page.getByLabel('Issuer').fill('https://login.example.org/')
    await page.getByLabel('group.read').check()
    await page.getByRole('button', { name: 'Create' }).click()
  }

  await fill('grace')
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  const id = Number(page.url().split('/').at(-1))
  await fill('ada')
  await page.getByRole('alert').getByText('A principal with this subject ID').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Open principal' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()

  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
  const { body } = await as('admin.manage').call(getPrincipal, { params: { id } })
  expect(body).toMatchObject({ subjectType: 'user', subjectId: 'grace', roles: ['group.read'] })
})

inBrowser('a subject id that the API refuses is reported with its message, and the input is kept', async () => {
  const { page, goTo } = await visit()
  await goTo('/admin/principals/new?kind=client')
  await page.getByLabel('Display name').fill('Typed')
  await page.getByLabel('Subject ID').fill('x'.repeat(256))

  await page.getByRole('button', { name: 'Create' }).click()

  await page.getByText("body 'subjectId' must NOT have more than 255 characters").waitFor()
  expect(await page.getByLabel('Subject ID').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Display name').inputValue()).toBe('Typed')
})

inBrowser('an empty form creates no principal of any kind, and the first missing field gets the focus', async () => {
  const { page, goTo } = await visit()
  const before = await count()
  await goTo('/admin/principals/new')
  await page.getByText('Without a role, almost every request is refused.').waitFor()

  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Describe what it is used for.').waitFor()
  await page.getByLabel('Description').and(page.locator(':focus')).waitFor()
  await goTo('/admin/principals/new?kind=user')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Enter the subject ID.').waitFor()

  await page.getByLabel('Subject ID').and(page.locator(':focus')).waitFor()
  expect(await count()).toBe(before)
})

async function count(): Promise<number> {
  const [local, ofProviders] = [
    await as('admin.manage').call(listLocalPrincipals),
    await as('admin.manage').call(listPrincipals),
  ]
  return local.body.length + ofProviders.body.length
}

inBrowser('a principal that does not exist offers the way to the list', async () => {
  const { page, goTo } = await visit()
  await goTo('/admin/principals/local/999999')

  await page.getByRole('link', { name: 'Go to principals' }).click()

  await page.getByRole('heading', { name: 'Principals' }).waitFor()
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
})
