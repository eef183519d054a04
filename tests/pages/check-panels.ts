import type { Page } from 'playwright-core'
import { settled } from '../../server/test/web/in-browser/open-browser.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'
import { listPanels, type PanelTools, type PanelVisit } from './console-panels.ts'
import { panelVisits } from './panel-visits.ts'

/** A panel that cannot be opened fails alone. */
const stepMilliseconds = Number(process.env.DEBUG_PANELS ? 5_000 : 30_000)

export const noFaults = () => Object.fromEntries(listPanels().map((panel) => [panel, []]))

/** Opens every panel and dialog of the console. Returns what axe finds in each, or why it could not be opened. */
export async function checkPanels(tools: PanelTools): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  tools.page.setDefaultTimeout(stepMilliseconds)
  for (const [panel, visit] of Object.entries(panelVisits)) {
    found[panel] = await checkPanel(tools, visit).catch(async (error: Error) => {
      const { page } = tools
      const shown = (await page.locator('main').textContent())?.slice(0, 1_000)
      // What is open would be in the way of the others.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.goto('/admin/about')
      return [`${error.message}\n${page.url()} shows:\n${shown}`]
    })
  }
  return found
}

async function checkPanel(tools: PanelTools, { path, steps }: PanelVisit): Promise<string[]> {
  const { page, ids } = tools
  await goTo(page, path(ids))
  for (const step of steps) {
    if (typeof step === 'function') await step(tools)
    else await clickOn(page, step)
  }
  await page.getByRole('dialog').last().waitFor()
  await settled(page)
  const found = await violations(page, '[role=dialog]')
  await close(page)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return found
}

const blankPage = '/admin/nowhere'
const pushPath = (path: string) =>
  `history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(pushPath(blankPage))
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await page.evaluate(pushPath(path))
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor({ state: 'detached' })
  await settled(page)
}

/** What is in a panel or in a menu comes last. */
async function clickOn(page: Page, name: string | RegExp): Promise<void> {
  const named = { name, exact: true }
  const roles = ['menuitem', 'option', 'link'] as const
  const button = page.getByRole('button', named)
  const any = roles.reduce((found, role) => found.or(page.getByRole(role, named)), button)
  await any.filter({ visible: true }).last().click()
}

async function close(page: Page): Promise<void> {
  const dialogs = page.getByRole('dialog')
  for (let at = 0; at < 3 && (await dialogs.count()) > 0; at++) {
    const discard = page.getByRole('button', { name: /^(Discard|Discard my changes|Leave)$/ })
    const stored = page.getByRole('checkbox', { name: /^I have stored/ })
    if (await discard.count()) await discard.click()
    else if (await stored.count()) {
      await stored.check()
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    } else await page.keyboard.press('Escape')
    await page.waitForTimeout(100)
  }
}
