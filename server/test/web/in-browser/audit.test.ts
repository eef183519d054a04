import { expect } from 'vitest'
import { activateGroup } from '../../../src/features/deployments/api/group-activation/activate-group.ts'
import { createLocalPrincipal } from '../../../src/features/principals/api/create-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../../src/features/principals/api/set-local-principal-revoked.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { eventually, inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, given, visit, withToken } = await openPages()

const { body: subject } = await as('admin.manage').call(createLocalPrincipal, {
  body: { description: 'Watched', roles: ['pm.read'], expiresAtUtc: null },
})
for (const isRevoked of [true, false])
  await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id: subject.id }, body: { isRevoked } })

inBrowser('the audit trail is filtered by target, operation, principal and time', async () => {
  const { page, me, goTo } = await visit()
  const operations = () => page.getByRole('cell').getByRole('button').allTextContents()
  await goTo('/admin/audit')
  await eventually(operations).toEqual([
    'signIn',
    'setLocalPrincipalRevoked',
    'setLocalPrincipalRevoked',
    'createLocalPrincipal',
  ])

  await page.getByLabel('Target').fill(`/api/admin/local-principals/${subject.id}`)
  await eventually(operations).toEqual(['setLocalPrincipalRevoked', 'setLocalPrincipalRevoked', 'createLocalPrincipal'])
  await page.getByRole('combobox', { name: 'Operation' }).fill('createLocalPrincipal')
  await eventually(operations).toEqual(['createLocalPrincipal'])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Principal' }).fill(me.clientId)
  await page.getByRole('option').click()
  await eventually(operations).toEqual(['signIn'])
  await page.getByLabel('Until').fill('2020-01-01T00:00')

  await page.getByText('No matches').waitFor()
  expect(page.url()).toContain(`principalId=${me.id}&before=2019-12-31T23`)
})

inBrowser('the audit trail says in words who did what, with links to the things, in both languages', async () => {
  const group = await given.group({ name: 'Berlin' })
  const demo = await given.localPrincipal({ description: 'Demo', roles: ['activation.execute'] })
  const credentials = { client_id: demo.clientId, client_secret: demo.secret, grant_type: 'client_credentials' }
  const { access_token } = (await withToken(undefined).call(requestToken, { body: credentials })).body
  await withToken(access_token).call(activateGroup, { params: { id: group.id }, body: { software: true } })
  const { page, goTo } = await visit()
  await goTo('/admin/audit?operation=activateGroup')

  const cell = page.getByRole('cell').filter({ hasText: 'deployed to Berlin' })
  expect(await cell.textContent()).toBe('Demo deployed to Berlin')
  expect(await cell.getByRole('link', { name: 'Berlin' }).getAttribute('href')).toBe(`/groups/${group.id}`)
  await goTo('/admin/audit?operation=setLocalPrincipalRevoked')
  await page.getByRole('cell').filter({ hasText: 'restored the principal Watched' }).waitFor()
  await page.getByRole('cell').filter({ hasText: 'revoked the principal Watched' }).waitFor()
  const german = await visit({ locale: 'de-DE' })
  await german.goTo('/admin/audit?operation=activateGroup')
  await german.page.getByRole('cell').filter({ hasText: 'Demo hat auf Berlin verteilt' }).waitFor()
  await german.page.getByRole('link', { name: 'Berlin' }).waitFor()
})

inBrowser('an audit entry shows the request and links to all entries of its target', async () => {
  const { page, goTo } = await visit()
  await goTo('/admin/audit?operation=setLocalPrincipalRevoked')

  const opener = page.getByRole('button', { name: /^setLocalPrincipalRevoked: Details/ }).first()
  await opener.click()
  const drawer = page.getByRole('dialog', { name: /^Entry \d+$/ })
  await drawer.getByText('"isRevoked": false').waitFor()
  await drawer.getByText('npm run verify-audit').waitFor()
  await screenshot(page, 'audit-entry')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await opener.and(page.locator(':focus')).waitFor()
  await opener.click()
  await drawer.getByRole('button', { name: 'All entries for this target' }).click()

  await page.getByRole('button', { name: /^createLocalPrincipal: Details/ }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Operation' }).inputValue()).toBe('')
})
