import type { Page } from 'playwright-core'
import type { ExampleIds } from './console-pages.ts'

/** What a page shows after somebody has done something, or without content. Names are in German, as the tour is. */
export type ConsoleView = {
  name: string
  path: (ids: ExampleIds) => string
  open?: (page: Page) => Promise<void>
}

/** A page without content, from which the others are opened. */
export const blankPage = '/admin/nowhere'

/** From then on, a page reads everything again that another one has read: as many requests as for its first visitor. */
export const expireAnswers = `globalThis.secondsAhead = (globalThis.secondsAhead ?? 0) + 10`

const since = { sinceUtc: '2026-01-01T00:00:00.000Z' }

/** What a service reports that does not work. A newer one may find what these pages have no text for. */
const unavailable = {
  status: 'unavailable',
  checks: [
    { name: 'reads', status: 'passed', code: null, detail: null, ...since },
    {
      name: 'disk',
      status: 'warning',
      code: 'DiskLow',
      detail: 'A disk of the service has little room left.',
      ...since,
    },
    { name: 'jobs', status: 'failed', code: 'JobsNotRunning', detail: 'Background jobs do not run.', ...since },
    { name: 'moon', status: 'failed', code: 'MoonMissing', detail: 'The moon has not risen.', ...since },
  ],
}

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
      await page.getByRole('button', { name: 'Neu starten', exact: true }).click()
      await page.getByRole('dialog').getByRole('heading').waitFor()
    },
  },
  {
    name: 'group-deploy',
    path: ({ group }) => `/groups/${group}`,
    async open(page) {
      await page.getByRole('button', { name: 'Verteilen', exact: true }).click()
      await page.getByRole('dialog').getByRole('radio', { name: 'In Ringen' }).check()
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
  {
    name: 'package-try',
    path: ({ failingPackage }) => `/packages/${failingPackage}`,
    async open(page) {
      await page.getByRole('button', { name: 'Auf einem Computer ausprobieren' }).click()
      // The list of computers closes.
      await page.getByRole('dialog').getByRole('heading').click()
    },
  },
  {
    name: 'package-lines-clean-up',
    path: () => '/package-lines',
    async open(page) {
      await page.getByRole('button', { name: 'Aufräumen' }).click()
      await page.getByRole('dialog').getByRole('heading').waitFor()
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
    path: () => '/admin/enrolment',
    async open(page) {
      await page.getByRole('button', { name: 'Token anlegen', exact: true }).click()
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
    name: 'desired-state-plan',
    path: () => '/admin/desired-state',
    async open(page) {
      const text = 'groups:\n  - path: Configuration/Plan\n    variables: [{ variable: No.Where, value: x }]\n'
      const file = { name: 'state.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) }
      await page.locator('input[type=file]').first().setInputFiles([file])
      await page.getByRole('button', { name: 'Plan anzeigen' }).click()
      await page.getByText(/^Blockiert: /).waitFor()
    },
  },
  {
    name: 'event-details',
    path: () => '/admin/events',
    async open(page) {
      await page.getByRole('cell').getByRole('button').first().click()
      await page.getByRole('dialog').getByText('Nur Ereignisse dieses Typs').waitFor()
    },
  },
  {
    name: 'delete-principal',
    path: ({ principal }) => `/admin/principals/local/${principal}`,
    async open(page) {
      await page.getByRole('button', { name: 'Löschen', exact: true }).click()
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  {
    name: 'new-secret',
    path: ({ principal }) => `/admin/principals/local/${principal}`,
    async open(page) {
      await page.getByRole('button', { name: 'Neues Secret' }).click()
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
  },
  {
    name: 'approve-request',
    path: () => '/admin/approvals',
    async open(page) {
      await page
        .getByRole('button', { name: /^Freigeben: / })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  {
    name: 'approve-package-request',
    path: () => '/package-requests',
    async open(page) {
      await page
        .getByRole('button', { name: /^Genehmigen: / })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
  },
  {
    name: 'vulnerability-exception',
    path: ({ vulnerability }) => `/vulnerabilities/${vulnerability}`,
    async open(page) {
      await page.getByRole('button', { name: 'Ausnahme hinzufügen…' }).click()
      await page.getByRole('dialog').getByRole('combobox').first().waitFor()
    },
  },
  {
    name: 'depot-tags',
    path: () => '/infrastructure',
    async open(page) {
      await page
        .getByRole('button', { name: /^Weitere Aktionen: / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Tags bearbeiten' }).click()
      await page.getByRole('dialog').getByRole('combobox', { name: 'Tag hinzufügen' }).waitFor()
    },
  },
  {
    name: 'palette',
    path: () => '/admin/roles',
    async open(page) {
      await page.getByRole('button', { name: 'Hilfe' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /suchen/ }).fill('ber')
      await page.getByRole('group', { name: 'Computer' }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: () => '/admin/roles',
    async open(page) {
      await page.getByRole('button', { name: 'Hilfe' }).click()
      await page.getByRole('menuitem', { name: /Tastenkürzel/ }).click()
      await page.getByRole('dialog', { name: 'Tastenkürzel' }).waitFor()
    },
  },
  {
    // The last one: from then on, the service seems to be unavailable.
    name: 'service-unavailable',
    path: () => '/admin/roles',
    async open(page) {
      await page.route('**/health/ready', (route) => route.fulfill({ status: 503, json: unavailable }))
      await page.evaluate(`${expireAnswers}; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      await page.getByText('Hintergrundaufträge wie Importe laufen nicht.').waitFor()
      await page.getByText('The moon has not risen.').waitFor()
    },
  },
]
