import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { cutBadges } from '../../server/test/web/in-browser/cut-badges.ts'
import {
  eventually,
  inBrowser,
  openBrowser,
  screenshot,
  settled,
  widthOf,
} from '../../server/test/web/in-browser/open-browser.ts'
import { lowContrasts, violations } from '../../server/test/web/in-browser/violations.ts'
import { openDemoFleet } from '../world/demo-fleet.ts'
import { consolePages, findExampleIds } from './console-pages.ts'
import { blankPage, type ConsoleView, consoleViews } from './console-views.ts'
import { deceptiveTexts, makeAnswersHostile } from './hostile-answers.ts'

const { address, as, given } = await openDemoFleet(async ({ settleRollouts }) => settleRollouts())
const { newContext, openTab } = openBrowser(address)
const ids = await findExampleIds(async (url) => (await as(...roleNames).send({ method: 'GET', url })).body)
const user = await given.identityPrincipal({ displayName: 'Ada Lovelace', roles: ['admin.manage', 'group.read'] })

const views: readonly ConsoleView[] = [
  ...consolePages,
  { name: 'provider-principal', path: () => `/admin/principals/provider/${user.id}` },
  ...consoleViews,
]

const phone = { width: 390, height: 844 }
const tourMilliseconds = 400_000

async function signedIn(own: BrowserContextOptions) {
  const { clientId, secret } = await given.localPrincipal({ roles: roleNames, description: 'The visitor' })
  const context = await newContext(own)
  const answer = await context.request.post('/admin/session', { data: { clientId, clientSecret: secret } })
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`)
  return context
}

/** What differs between a page and the next. */
const headings = `[...document.querySelectorAll('main h1')].map((one) => one.innerText).join()`

/** Opens another page as a link does, without loading the console again. The page before stays until the other is ready. */
async function goWithin(page: Page, path: string): Promise<void> {
  const before = await page.evaluate(headings)
  await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await eventually(() => page.evaluate(headings)).not.toBe(before)
}

/** From then on, a page reads everything again that another one has read: as many requests as for its first visitor. */
const expireAnswers = `globalThis.secondsAhead = (globalThis.secondsAhead ?? 0) + 10`
const clockAhead = `{ const { now } = Date; Date.now = () => now() + 1000 * (globalThis.secondsAhead ?? 0) }`

/** Opens the view from a page without content. Returns what it asks the service for. */
async function openView(page: Page, { path, open }: ConsoleView): Promise<string[]> {
  if (new URL(page.url()).pathname !== blankPage) await goWithin(page, blankPage)
  await page.evaluate(expireAnswers)
  const requests = collectApiRequests(page)
  if (path(ids) !== blankPage) await goWithin(page, path(ids))
  await settled(page)
  const asked = [...requests.paths]
  requests.stop()
  await open?.(page)
  await settled(page)
  return asked
}

// What the frame around the pages asks for: notices about the service, and the stream of events.
const ofTheFrame = /^\/api\/(freeze|events\/stream)/

function collectApiRequests(page: Page) {
  const paths: string[] = []
  const collect = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') && !ofTheFrame.test(pathname)) paths.push(pathname + search)
  }
  page.on('request', collect)
  return { paths, stop: () => page.off('request', collect) }
}

/** What reacts to the mouse, but cannot be reached with the keyboard. */
const mouseOnly = `[...document.querySelectorAll('main *')].filter((element) =>
  getComputedStyle(element).cursor === 'pointer' && element.checkVisibility() &&
  !element.closest('a[href], button, input, select, textarea, label, summary, [tabindex], [role=option]')
).map((element) => element.outerHTML.slice(0, 200))`

/** Whether the focus is on something in the page, unless there is nothing to focus. */
const isFocusInPage = `document.activeElement.closest('main') !== null ||
  !document.querySelector('main :is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)')`

async function isReachedByKeyboard(page: Page): Promise<boolean> {
  await page.locator('.skip-link').press('Enter')
  await page.keyboard.press('Tab')
  return page.evaluate<boolean>(isFocusInPage)
}

inBrowser(
  'every page and every tab works, with at most five requests, for everybody, and by keyboard',
  async () => {
    const context = await signedIn({})
    await context.addInitScript(clockAhead)
    const { page } = await openTab(context)
    await page.goto('/admin/about')
    const found: Record<string, unknown> = {}

    for (const view of views) {
      const asked = await openView(page, view)
      await screenshot(page, `tour-${view.name}`)
      found[view.name] = {
        tooManyRequests: asked.length > 5 ? asked : [],
        violations: await violations(page),
        mouseOnly: await page.evaluate<string[]>(mouseOnly),
        // An open dialog keeps the focus.
        isReached: view.open !== undefined || (await isReachedByKeyboard(page)),
      }
    }

    const nothing = { tooManyRequests: [], violations: [], mouseOnly: [], isReached: true }
    expect(found).toEqual(Object.fromEntries(views.map(({ name }) => [name, nothing])))
  },
  tourMilliseconds,
)

inBrowser(
  'every page and every tab fits a phone and shows hostile texts safely, in German and in dark colours',
  async () => {
    const context = await signedIn({ locale: 'de-DE', colorScheme: 'dark', viewport: phone })
    await makeAnswersHostile(context)
    const { page } = await openTab(context)
    await page.goto('/admin/about')
    const found: Record<string, unknown> = {}

    for (const view of views) {
      await openView(page, view)
      await screenshot(page, `tour-${view.name}-phone`)
      found[view.name] = {
        contrasts: await lowContrasts(page),
        cut: await cutBadges(page),
        tooWide: (await fits(page)) ? '' : await widthOf(page),
        deceptive: await page.evaluate<string[]>(deceptiveTexts),
      }
    }

    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    const nothing = { contrasts: [], cut: [], tooWide: '', deceptive: [] }
    expect(found).toEqual(Object.fromEntries(views.map(({ name }) => [name, nothing])))
  },
  tourMilliseconds,
)

/** Whether nothing is wider than the screen, once the layout has followed. */
async function fits(page: Page): Promise<boolean> {
  const looks = 20
  for (let look = 0; look < looks; look++) {
    if ((await widthOf(page)) <= phone.width) return true
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return false
}
