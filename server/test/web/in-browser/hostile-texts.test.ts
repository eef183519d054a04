import { expect } from 'vitest'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { given, visit } = await openPages()

const hostile = `<img src=x onerror="window.wasHit=1"><script>window.wasHit=1</script>{{7*7}}'"--`

inBrowser('markup that is typed into a text field is shown as text everywhere', async () => {
  const { page, goTo } = await visit()
  const shown = (path: string) => goTo(path).then(() => page.getByText(hostile).first().waitFor())
  await given.localPrincipal({ description: hostile })
  const local = await given.localPrincipal({ description: hostile })

  await goTo('/admin/principals/new?kind=user')
  for (const field of ['Subject ID', 'Display name', 'Issuer']) await page.getByLabel(field).fill(hostile)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: hostile }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: `Delete ${hostile}?` }).waitFor()
  await shown('/admin/principals')
  await goTo(`/admin/principals/local/${local.id}`)
  await page.getByRole('heading', { name: hostile }).waitFor()
  await goTo('/admin/enrolment-tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill(hostile)
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByLabel('I have stored the token').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('cell', { name: hostile, exact: true }).waitFor()
  await goTo(`/admin/audit?target=${encodeURIComponent(hostile)}`)
  await page.getByText('No matches').waitFor()
  await goTo('/admin/audit?operation=upsertPrincipal')
  await page.getByRole('button', { name: /Details/ }).click()
  await page.getByRole('dialog').getByText('onerror').first().waitFor()
  for (const path of ['/admin/principals', '/admin/roles'])
    await goTo(`${path}?search=${encodeURIComponent(hostile)}`).then(() => page.getByRole('searchbox').waitFor())

  expect(await page.getByRole('searchbox').inputValue()).toBe(hostile)
  expect(await page.evaluate('window.wasHit')).toBeUndefined()
  expect(await page.locator('img[src=x]').count()).toBe(0)
})

inBrowser('a deceptive text is shown with escapes, and the field for it has the exact text', async () => {
  const { page, goTo } = await visit()
  const { id } = await given.localPrincipal({ description: 'Report\u202egnp.exe\u200b' })
  const shown = 'Report\\u202egnp.exe\\u200b'

  await goTo(`/admin/principals/local/${id}`)
  await page.getByRole('heading', { name: shown }).waitFor()
  await screenshot(page, 'deceptive-name')
  const [title, exact] = [await page.title(), await page.getByLabel('Description').inputValue()]
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: `Delete ${shown}?` }).waitFor()

  expect(title).toContain(shown)
  expect(exact).toBe('Report\u202egnp.exe\u200b')
})
