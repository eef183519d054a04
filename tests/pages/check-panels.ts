import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from '../../server/test/web/in-browser/open-browser.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'
import { listPanels, type PanelTools } from './console-panels.ts'
import { blankPage } from './console-views.ts'
import type { PanelVisit } from './panel-steps.ts'
import { panelVisits } from './panel-visits.ts'

/** A panel that cannot be opened fails alone. */
const stepMilliseconds = 30_000

export const noFaults = () => Object.fromEntries(listPanels().map((panel) => [panel, []]))

/** Opens every panel and dialog of the console. Returns what axe finds in each, or why it could not be opened. */
export async function checkPanels(tools: PanelTools): Promise<Record<string, string[]>> {
  expect(Object.keys(panelVisits).sort()).toEqual(listPanels())
  const { page, ids } = tools
  page.setDefaultTimeout(stepMilliseconds)
  const found: Record<string, string[]> = {}
  const seen = new Map<string, string>()
  const pages = openPages(page)
  for (const [at, [panel, { path, steps }]] of Object.entries(panelVisits).entries()) {
    try {
      // Half of them in each colours: what they are made of is in both halves.
      await showIn(page, at % 2 === 0 ? 'light' : 'dark')
      await pages.goTo(path(ids))
      await openPanel(tools, steps)
      found[panel] = await violations(page, '[role=dialog]')
      const shown = `${page.url()} ${await textOf(page, '[role=dialog]')}`
      const other = seen.get(shown)
      if (other) found[panel].push(`This is ${other}.`)
      seen.set(shown, panel)
      await closePanel(page)
    } catch (error) {
      found[panel] = [`${(error as Error).message} ${page.url()} shows: ${await textOf(page, 'main')}`]
      // What is open would be in the way of the others.
      await page.goto(blankPage)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  return found
}

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

const textOf = async (page: Page, place: string) =>
  (await page.locator(place).allTextContents()).join(' ').slice(0, 1_000)

async function openPanel(tools: PanelTools, steps: PanelVisit['steps']): Promise<void> {
  const { page } = tools
  for (const step of steps) {
    if (typeof step === 'function') await step(tools)
    else await clickOn(page, step)
  }
  await page.getByRole('dialog').last().waitFor()
  await settled(page)
}

const pushPath = (path: string) =>
  `history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`

/** Everything that can be seen of the page, and whether a person has left something open or chosen. */
const shownPage = `(() => {
  const chosen = [...document.querySelectorAll('main input')].map(({ value, checked }) => value + checked)
  return location.href + document.querySelector('main')?.outerHTML + chosen
})()`

/** Opens one page after the other. A page is not left if the last panel has closed without a trace, and the next one is on it too. */
function openPages(page: Page) {
  let last = { path: '', shown: '' }
  return {
    async goTo(path: string): Promise<void> {
      if (path === last.path && (await page.evaluate(shownPage)) === last.shown) return
      await openFromBlank(page, path)
      last = { path, shown: await page.evaluate(shownPage) }
    },
  }
}

/** Opens the page from one without content: what was open there before is gone. */
async function openFromBlank(page: Page, path: string): Promise<void> {
  const blank = page.getByRole('heading', { level: 1, name: 'Page not found' })
  await page.evaluate(pushPath(blankPage))
  await blank.waitFor()
  await page.evaluate(pushPath(path))
  await blank.waitFor({ state: 'detached' })
  await settled(page)
}

/** What is in a panel or in a menu comes last. */
async function clickOn(page: Page, name: string | RegExp): Promise<void> {
  const named = { name, exact: true }
  const others = (['menuitem', 'option', 'link'] as const).map((role) => page.getByRole(role, named))
  const any = others.reduce((found, other) => found.or(other), page.getByRole('button', named))
  await any.filter({ visible: true }).last().click()
}

/** As a person does: with Escape, unless a question or a secret has to be answered. */
async function closePanel(page: Page): Promise<void> {
  const dialogs = page.getByRole('dialog')
  const discard = dialogs.getByRole('button', { name: /^(Discard|Discard my changes|Leave)$/ })
  const stored = dialogs.getByRole('checkbox', { name: /^I have stored/ })
  const maxDialogs = 3
  for (let open = 0; open < maxDialogs && (await dialogs.count()) > 0; open++) {
    if (await discard.count()) await discard.click()
    else if (await stored.count()) {
      await stored.check()
      await dialogs.getByRole('button', { name: 'Continue' }).click()
    } else await page.keyboard.press('Escape')
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))')
  }
}
