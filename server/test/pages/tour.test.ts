import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { roleNames } from '../../src/platform/roles.ts'
import { cutBadges } from '../web/in-browser/cut-badges.ts'
import {
  eventually,
  inBrowser,
  onFirstUse,
  openBrowser,
  screenshot,
  settled,
  widthOf,
} from '../web/in-browser/open-browser.ts'
import { contrasts, violations } from '../web/in-browser/violations.ts'
import { openDemoFleet } from '../world/demo-fleet.ts'
import { consolePages, findExampleIds } from './console-pages.ts'
import { deceptiveTexts, makeAnswersHostile } from './hostile-answers.ts'

const { address, as, given } = await openDemoFleet(async ({ settleRollouts }) => settleRollouts())
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

/** What differs between a page and the next: its heading, or the open tab. */
const headings = `[...document.querySelectorAll('main :is(h1, [role=tab][aria-selected=true])')].map((one) => one.innerText).join()`

/** Opens another page as a link does, without loading the console again. The page before stays until the other is ready. */
async function goWithin(page: Page, path: string): Promise<void> {
  const before = await page.evaluate(headings)
  await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await eventually(() => page.evaluate(headings)).not.toBe(before)
}

/** Whether nothing is wider than the screen, once the layout has followed. */
async function fits(page: Page): Promise<boolean> {
  const isNarrow = async () => (await widthOf(page)) <= phone.width
  for (const wait of [0, 200, 1_000]) {
    await page.waitForTimeout(wait)
    if (await isNarrow()) return true
  }
  return false
}

async function waitForPage(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await settled(page)
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
  inBrowser(`the page ${name} works, with few requests, for everybody, and by keyboard`, async () => {
    const { page } = await openTab(await onDesktop())
    const requests = collectApiRequests(page)
    await page.goto(path(ids))
    await waitForPage(page)
    const asked = [...requests]
    await screenshot(page, `tour-${name}`)
    const inLight = await violations(page)
    const unreachable = await page.evaluate<string[]>(mouseOnly)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const isReached = await page.evaluate<boolean>(isFocusInPage)

    expect(inLight).toEqual([])
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(5)
    expect({ unreachable, isReached }).toEqual({ unreachable: [], isReached: true })
  })

inBrowser(
  'every page fits a phone and shows hostile texts safely, in German and in dark colours, when its visitor comes from another page',
  async () => {
    const context = await onGermanPhone()
    await makeAnswersHostile(context)
    const { page } = await openTab(context)
    await page.goto('/admin/about')
    await waitForPage(page)
    const found: Record<string, unknown> = {}

    for (const { name, path } of consolePages) {
      await goWithin(page, path(ids))
      await waitForPage(page)
      await screenshot(page, `tour-${name}-phone`)
      found[name] = {
        contrasts: await violations(page, contrasts),
        cut: await cutBadges(page),
        fits: await fits(page),
        deceptive: await page.evaluate<string[]>(deceptiveTexts),
      }
    }

    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(found).toEqual(
      Object.fromEntries(consolePages.map(({ name }) => [name, { contrasts: [], cut: [], fits: true, deceptive: [] }])),
    )
  },
  180_000,
)
