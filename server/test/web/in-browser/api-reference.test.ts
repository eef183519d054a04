import { expect } from 'vitest'
import { inBrowser } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { given, visit } = await openPages({ configuration: { mode: 'development' } })

inBrowser('the first request in the interactive reference sends no value of an example', async () => {
  await given.computer({ name: 'pc-of-the-reference' })
  const { page } = await visit({ isAlone: true })
  await page.goto('/scalar/v1#tag/fleet/GET/api/fleet/computers')
  const opener = page.getByRole('button', { name: /Test Request.*\/api\/fleet\/computers\b(?!\/)/ }).first()
  await opener.click()

  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/fleet/computers')
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).click()
  const request = await sent
  const answer = await request.response()

  expect(Object.keys(await request.allHeaders())).not.toContain('if-none-match')
  expect(answer?.status()).toBe(200)
  expect(await answer?.json()).toMatchObject({ items: [{ hostname: 'pc-of-the-reference' }] })
})
