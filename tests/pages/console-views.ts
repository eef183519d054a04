import type { Page } from 'playwright-core'
import type { ExampleIds } from './console-pages.ts'

/** What a page shows after somebody has done something, or without content. Names are in English or in German. */
export type ConsoleView = {
  name: string
  path: (ids: ExampleIds) => string
  open?: (page: Page) => Promise<void>
}

/** A page without content, from which the others are opened. */
export const blankPage = '/admin/nowhere'

export const consoleViews: readonly ConsoleView[] = [
  { name: 'not-found', path: () => blankPage },
  { name: 'new-user', path: () => '/admin/principals/new?kind=user' },
  {
    name: 'computer-why',
    path: ({ computer, failingPackage }) => `/computers/${computer}/software?why=${failingPackage}`,
  },
  { name: 'computer-installed', path: ({ computer }) => `/computers/${computer}/inventory?section=software` },
  ...['deployments', 'tasks', 'errors'].map((view) => ({
    name: `computer-history-${view}`,
    path: ({ computer }: ExampleIds) => `/computers/${computer}/history?view=${view}`,
  })),
  { name: 'computers-none', path: () => '/computers?search=nowhere' },
  {
    name: 'computers-restart',
    path: () => '/computers',
    async open(page) {
      await page.locator('tr[data-index]').first().press('Space')
      await page.getByRole('button', { name: /^(Restart|Neu starten)$/ }).click()
      await page.getByRole('dialog').getByRole('heading').waitFor()
    },
  },
  {
    name: 'group-deploy',
    path: ({ group }) => `/groups/${group}`,
    async open(page) {
      await page.getByRole('button', { name: /^(Deploy|Verteilen)$/ }).click()
      await page.getByRole('dialog').getByRole('radio').nth(1).check()
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
  {
    name: 'overview-tables',
    path: () => '/',
    async open(page) {
      for (const button of await page.locator('figcaption button').all()) await button.press('Enter')
    },
  },
  {
    name: 'new-enrolment-token',
    path: () => '/admin/enrolment-tokens',
    async open(page) {
      await page.getByRole('button', { name: /^(Create token|Token anlegen)$/ }).click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'audit-entry',
    path: () => '/admin/audit',
    async open(page) {
      await page.getByRole('cell').getByRole('button').first().click()
      await page.getByRole('dialog').getByText('npm run verify-audit').waitFor()
    },
  },
  {
    name: 'delete-principal',
    path: ({ principal }) => `/admin/principals/local/${principal}`,
    async open(page) {
      await page.getByRole('button', { name: /^(Delete|Löschen)$/ }).click()
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
]
