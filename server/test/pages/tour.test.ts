import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { roleNames } from '../../src/platform/roles.ts'
import { cutBadges } from '../web/in-browser/cut-badges.ts'
import { eventually, inBrowser, onFirstUse, openBrowser, screenshot, widthOf } from '../web/in-browser/open-browser.ts'
import { contrasts, violations } from '../web/in-browser/violations.ts'
import { openDemoFleet } from '../world/demo-fleet.ts'
import { consolePages, findExampleIds } from './console-pages.ts'

const { address, as, given } = await openDemoFleet(60, async ({ settleRollouts }) => settleRollouts())
const { newContext, openTab } = openBrowser(address)
const ids = await findExampleIds(async (url) => (await as(...roleNames).send({ method: 'GET', url })).body)

const phone = { width: 390, height: 844 }
const onDesktop = onFirstUse(() => signedIn({}))
const onGermanPhone = onFirstUse(() => signedIn({ locale: 'de-DE', colorScheme: 'dark', viewport: phone }))

async function signedIn(own: Parameters<typeof newContext>[0]) {
  const { clientId, secret } = await given.localPrincipal({ roles: roleNames, description: 'The visitor' })
  const context = await newContext(own)
  const answer = await context.request.post('/admin/session', { data: { clientId, clientSecret: secret } })
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`)
  return context
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await eventually(() => page.locator('.mantine-Skeleton-root, [data-loading]').count()).toBe(0)
}

// What the frame around the pages asks for: notices about the service, and the stream of events.
const ofTheFrame = /^\/api\/(freeze|events\/stream)/

function collectApiRequests(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') && !ofTheFrame.test(pathname)) paths.push(pathname + search)
  })
  return paths
}

/** What reacts to the mouse, but cannot be reached with the keyboard. */
const mouseOnly = `[...document.querySelectorAll('main *')].filter((element) =>
  getComputedStyle(element).cursor === 'pointer' && element.checkVisibility() &&
  !element.closest('a[href], button, input, select, textarea, label, summary, [tabindex], [role=option]')
).map((element) => element.outerHTML.slice(0, 200))`

/** Whether the focus is on something in the page, unless there is nothing to focus. */
const isFocusInPage = `document.activeElement.closest('main') !== null ||
  !document.querySelector('main :is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)')`

for (const { name, path } of consolePages)
  inBrowser(
    `the page ${name} works, with few requests, in both colours, by keyboard, in German and on a phone`,
    async () => {
      const { page } = await openTab(await onDesktop())
      const requests = collectApiRequests(page)
      await page.goto(path(ids))
      await settled(page)
      const asked = [...requests]
      await screenshot(page, `tour-${name}`)
      const inLight = await violations(page)
      const unreachable = await page.evaluate<string[]>(mouseOnly)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      const isReached = await page.evaluate<boolean>(isFocusInPage)

      const { page: german } = await openTab(await onGermanPhone())
      await german.goto(path(ids))
      await settled(german)
      await screenshot(german, `tour-${name}-phone`)
      const inDark = await violations(german, contrasts)

      expect({ inLight, inDark }).toEqual({ inLight: [], inDark: [] })
      expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(5)
      expect({ unreachable, isReached }).toEqual({ unreachable: [], isReached: true })
      expect(await german.locator('html').getAttribute('lang')).toBe('de')
      await eventually(() => widthOf(german)).toBeLessThanOrEqual(phone.width)
      expect(await cutBadges(german)).toEqual([])
    },
  )
