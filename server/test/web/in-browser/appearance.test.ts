import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { cutBadges } from './cut-badges.ts'
import { eventually, inBrowser, screenshot, settled, widthOf } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { contrasts, violations } from './violations.ts'

const { given, visit } = await openPages()

const local = await given.localPrincipal({ description: 'Nightly inventory report', roles: ['computer.read'] })
const user = await given.identityPrincipal({ displayName: 'Ada Lovelace', roles: ['admin.manage', 'group.read'] })
await given.localPrincipal({ description: 'Last year’s migration', expiresAt: new Date('2025-01-01') })
await given.localPrincipal({
  description: 'The administrator who is always left',
  roles: ['admin.manage'],
  isProtected: true,
})

/** What is not in the list of all pages, because it needs a principal or shows an error. */
const pages = [
  { name: 'new-principal', path: '/principals/new', heading: 'Add principal' },
  { name: 'new-user', path: '/principals/new?kind=user', heading: 'Add principal' },
  { name: 'local-principal', path: `/principals/local/${local.id}`, heading: 'Nightly inventory report' },
  { name: 'provider-principal', path: `/principals/provider/${user.id}`, heading: 'Ada Lovelace' },
  { name: 'not-found', path: '/nowhere', heading: 'Page not found' },
]

async function waitForPage(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await settled(page)
}

const phone = { width: 360, height: 740 }

for (const { name, path, heading } of pages)
  inBrowser(`the page ${name} is accessible in light and in dark colours, and fits on a phone`, async () => {
    const { page, goTo } = await visit()
    await goTo(`/admin${path}`)
    await waitForPage(page, heading)

    const inLight = await violations(page)
    await screenshot(page, `${name}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('[data-mantine-color-scheme=dark]').waitFor()
    const inDark = await violations(page, contrasts)
    await screenshot(page, `${name}-dark`)
    await page.setViewportSize(phone)
    await page.emulateMedia({ colorScheme: 'light' })
    await screenshot(page, `${name}-phone`)

    expect([...inLight, ...inDark]).toEqual([])
    await eventually(() => widthOf(page)).toBeLessThanOrEqual(phone.width)
    expect(await cutBadges(page)).toEqual([])
  })

inBrowser('the console can be switched to German, and remembers the choice', async () => {
  const { page, goTo } = await visit({ locale: 'de-DE' })
  await goTo('/admin/principals')

  await page.getByRole('heading', { name: 'Zugänge' }).waitFor()
  await page.getByRole('cell', { name: '1. Jan. 2025, 01:00' }).or(page.getByText('01.01.2025, 01:00')).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await screenshot(page, 'german')
  await goTo('/admin/principals/new')
  await page.getByText('Computer neu starten.').waitFor()
  await page.getByRole('button', { name: 'Konto und Einstellungen' }).click()
  await page.getByText('English').click()
  await page.getByRole('heading', { name: 'Add principal' }).waitFor()
  await page.reload()

  await page.getByRole('heading', { name: 'Add principal' }).waitFor()
})

inBrowser('the colour scheme follows the system until the user chooses one, and the choice is remembered', async () => {
  const { page, goTo } = await visit({ colorScheme: 'dark' })
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await goTo('/admin/about')
  await eventually(scheme).toBe('dark')

  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByText('Light', { exact: true }).click()
  await eventually(scheme).toBe('light')
  await page.reload()

  await eventually(scheme).toBe('light')
})

inBrowser('on a phone the menu opens, and closes when a page is chosen', async () => {
  const { page, goTo } = await visit()
  await page.setViewportSize(phone)
  await goTo('/admin/principals')

  await page.getByRole('button', { name: 'Toggle menu' }).click()
  await page.getByRole('link', { name: 'About' }).click()

  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.getByRole('link', { name: 'Roles' }).waitFor({ state: 'hidden' })
})
