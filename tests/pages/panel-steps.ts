import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/web/in-browser/open-browser.ts'
import type { PanelIds, PanelTools } from './console-panels.ts'
import { expireAnswers } from './console-views.ts'

/** The name of what is clicked, or something else that is done. */
export type Step = string | RegExp | ((tools: PanelTools) => Promise<unknown>)

export type PanelVisit = { path: (ids: PanelIds) => string; steps: readonly Step[] }

export const fill =
  (label: string | RegExp, text: string): Step =>
  ({ page }) =>
    page.getByRole('textbox', { name: label }).last().fill(text)

export const check =
  (label: string | RegExp): Step =>
  ({ page }) =>
    page.getByRole('checkbox', { name: label }).first().check()

/** The button of the open dialog that carries it out. Afterwards the dialog shows something else, or is gone. */
export const confirm: Step = async ({ page }) => {
  const dialog = page.getByRole('dialog')
  const shown = async () => (await dialog.allTextContents()).join()
  const before = await shown()
  await dialog.locator('button[type=submit]').last().click()
  await eventually(shown).not.toBe(before)
}

/** Of an installer that has booted over the network. */
const bootRequest = {
  address: '10.0.4.7',
  fetchedAtUtc: '2026-11-19T08:00:00.000Z',
  reportedAtUtc: '2026-11-19T08:20:00.000Z',
  reportedFrom: '10.0.4.7',
  status: 'Success',
  message: null,
}

/** The page reads again what it shows, as when somebody returns to its window. */
export const refetch = (page: Page) =>
  page.evaluate(`${expireAnswers}; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

/** From now on, the page is shown what the service does not answer: a state that the demo is not in. */
export const showing =
  <Body>(url: RegExp, change: (body: Body) => object): Step =>
  async ({ page }) => {
    await page.route(url, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: change((await answer.json()) as Body) })
    })
    await refetch(page)
  }

export const ownUploads = showing<{ items: object[] }>(/\/api\/package-uploads(\?|$)/, ({ items, ...page }) => ({
  ...page,
  items: items.map((item) => ({ ...item, isOwn: true })),
}))

export const designatedAgents = showing<object[]>(/\/api\/agent-packages$/, (agents) =>
  agents.map((agent) => ({
    ...agent,
    package: { id: randomUUID(), name: 'Agent', version: '0.1.0', signature: null },
  })),
)

export const failedWork = showing<object>(/\/api\/tasks\/[^/]+$/, (task) => ({ ...task, failed: 1, rolloutId: null }))

export const reportedInstallation = showing<object>(/\/os-installation$/, (state) => ({
  ...state,
  bootRequests: [bootRequest],
}))

export const missingFiles = showing<{ files: object[] }>(/\/api\/fleet\/patches\/\d+$/, ({ files, ...patch }) => ({
  ...patch,
  files: files.map((file) => ({ ...file, status: 'NotRequested' })),
}))
