import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
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
import { checkPanels, noFaults } from './check-panels.ts'
import { consolePages, findExampleIds } from './console-pages.ts'
import { findPanelIds } from './console-panels.ts'
import { blankPage, type ConsoleView, consoleViews, expireAnswers } from './console-views.ts'
import { deceptiveTexts, makeAnswersHostile } from './hostile-answers.ts'

const { address, as, db, given } = await openDemoFleet(async ({ settleRollouts }) => settleRollouts())
// The event feed shows what has happened.
await sequenceAll(db)
const { newContext, openTab } = openBrowser(address)
const get = async (url: string) => (await as(...roleNames).send({ method: 'GET', url })).body
const ids = await findExampleIds(get)
const user = await given.identityPrincipal({ displayName: 'Ada Lovelace', roles: ['admin.manage', 'group.read'] })

const views: readonly ConsoleView[] = [
  ...consolePages,
  { name: 'provider-principal', path: () => `/admin/principals/provider/${user.id}` },
  ...consoleViews,
]

const desk = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' } as const
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
type Device = typeof desk | typeof phone

const tourMilliseconds = 1_200_000

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

/** The clock of the page, which `expireAnswers` puts forward. */
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

/** Turns the page from one device into the other, without loading it again. */
async function turnInto(page: Page, { viewport, colorScheme }: Device): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await settled(page)
}

async function checkAtDesk(page: Page, { open }: ConsoleView) {
  return {
    violations: await violations(page),
    mouseOnly: await page.evaluate<string[]>(mouseOnly),
    // An open dialog keeps the focus.
    isReached: open !== undefined || (await isReachedByKeyboard(page)),
  }
}

async function checkOnPhone(page: Page) {
  return {
    contrasts: await lowContrasts(page),
    cut: await cutBadges(page),
    tooWide: (await fits(page)) ? '' : await widthOf(page),
  }
}

const nothingWrong = {
  ...{ tooManyRequests: [], deceptive: [] },
  ...{ violations: [], mouseOnly: [], isReached: true },
  ...{ contrasts: [], cut: [], tooWide: '' },
}

inBrowser(
  'every page works at a desk and on a phone, for everybody and by keyboard, with few requests and with hostile texts',
  async () => {
    const context = await signedIn({ locale: 'de-DE' })
    await context.addInitScript(clockAhead)
    await makeAnswersHostile(context)
    const { page } = await openTab(context)
    await page.goto('/admin/about')
    const found: Record<string, unknown> = {}

    // Half of the views are opened at a desk and half on a phone, so each needs one change of the device.
    let device: Device = desk
    await turnInto(page, device)
    for (const view of views) {
      const asked = await openView(page, view)
      await screenshot(page, `tour-${view.name}`)
      const deceptive = await page.evaluate<string[]>(deceptiveTexts)
      const first = await check(page, device, view)
      device = device === desk ? phone : desk
      await turnInto(page, device)
      const second = await check(page, device, view)
      found[view.name] = { tooManyRequests: asked.length > 5 ? asked : [], deceptive, ...first, ...second }
    }

    expect(found).toEqual(Object.fromEntries(views.map(({ name }) => [name, nothingWrong])))
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await findPaleText(page)).toEqual([expect.stringMatching(/^color-contrast: .*Too pale/)])
    expect(await findUnlabelled(page)).toEqual([expect.stringMatching(/^button-name: <button id="unlabelled">/)])
  },
  tourMilliseconds,
)

const check = (page: Page, device: Device, view: ConsoleView) =>
  device === desk ? checkAtDesk(page, view) : checkOnPhone(page)

/** What the comparison of colours finds when one text among many is too pale: it is able to find something. */
async function findPaleText(page: Page): Promise<string[]> {
  await page.evaluate(`{
    const text = document.querySelector('main').appendChild(document.createElement('p'))
    text.textContent = 'Too pale'
    text.style.color = '#777'
    text.style.background = '#888'
  }`)
  return lowContrasts(page)
}

/** What axe finds of a button without a name, in a row unlike all others: it does not take it for a repeated one. */
async function findUnlabelled(page: Page): Promise<string[]> {
  await page.evaluate(`{
    const list = document.querySelector('main').appendChild(document.createElement('ul'))
    list.innerHTML = '<li><em>Like no other</em><button id="unlabelled"></button></li>'
  }`)
  return violations(page, 'main')
}

inBrowser(
  'every panel and dialog of the console is accessible',
  async () => {
    const context = await signedIn({ locale: 'en-GB', ...desk })
    const { page } = await openTab(context)
    await page.addInitScript(clockAhead)
    await page.goto('/admin/about')

    const found = await checkPanels({
      page,
      context,
      ids: await findPanelIds(ids, get),
      async change(method, url, payload) {
        const { headers } = await as(...roleNames).send({ method: 'GET', url })
        const version = headers.etag === undefined ? {} : { 'if-match': headers.etag }
        return (await as(...roleNames).send({ method, url, payload, headers: version })).body
      },
      async signInAs(...roles) {
        const { clientId, secret } = await given.localPrincipal({ roles, description: 'Another visitor' })
        await context.request.post('/admin/session', { data: { clientId, clientSecret: secret } })
      },
    })

    expect(found).toEqual(noFaults())
  },
  tourMilliseconds,
)

inBrowser('on a phone the menu opens, and closes when a page is chosen', async () => {
  const { page } = await openTab(await signedIn({ viewport: phone.viewport }))
  await page.goto('/admin/roles')

  await page.getByRole('button', { name: 'Toggle menu' }).click()
  await page.getByRole('link', { name: 'About' }).click()

  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.getByRole('link', { name: 'Roles' }).waitFor({ state: 'hidden' })
})

/** Whether nothing is wider than the screen, once the layout has followed. */
async function fits(page: Page): Promise<boolean> {
  const looks = 20
  for (let look = 0; look < looks; look++) {
    if ((await widthOf(page)) <= phone.viewport.width) return true
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return false
}
