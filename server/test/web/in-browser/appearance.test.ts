import { eventually, inBrowser } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { given, visit } = await openPages()

await given.localPrincipal({ description: 'Last year’s migration', expiresAt: new Date('2025-01-01') })

const phone = { width: 360, height: 740 }

inBrowser('language and colours follow the system until the user chooses others, which are remembered', async () => {
  const { page, goTo } = await visit({ locale: 'de-DE', colorScheme: 'dark' })
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await goTo('/admin/principals')
  await page.getByRole('heading', { name: 'Zugänge' }).waitFor()
  await page.getByRole('cell', { name: '1. Jan. 2025, 01:00' }).or(page.getByText('01.01.2025, 01:00')).waitFor()
  await eventually(scheme).toBe('dark')

  await page.getByRole('button', { name: 'Konto und Einstellungen' }).click()
  await page.getByText('English').click()
  await page.getByText('Light', { exact: true }).click()
  await page.getByRole('heading', { name: 'Principals' }).waitFor()
  await page.reload()

  await page.getByRole('heading', { name: 'Principals' }).waitFor()
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
