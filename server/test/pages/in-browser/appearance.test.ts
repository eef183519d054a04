import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { inBrowser, openPages, screenshot } from './open-pages.ts'

const { given, visit } = await openPages()

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const local = await given.localPrincipal({ description: 'Nightly inventory report', roles: ['computer.read'] })
const user = await given.identityPrincipal({ displayName: 'Ada Lovelace', roles: ['admin.manage', 'group.read'] })
await given.localPrincipal({ description: 'Last year’s migration', expiresAt: new Date('2025-01-01') })
await given.localPrincipal({
  description: 'The one who keeps the way in open',
  roles: ['admin.manage'],
  isProtected: true,
})

const pages = [
  { name: 'principals', path: '/principals', heading: 'Principals' },
  { name: 'new-principal', path: '/principals/new', heading: 'Add a principal' },
  { name: 'new-user', path: '/principals/new?kind=user', heading: 'Add a principal' },
  { name: 'local-principal', path: `/principals/local/${local.id}`, heading: 'Nightly inventory report' },
  { name: 'provider-principal', path: `/principals/provider/${user.id}`, heading: 'Ada Lovelace' },
  { name: 'roles', path: '/roles?search=principal', heading: 'Roles' },
  { name: 'audit', path: '/audit', heading: 'Audit trail' },
  { name: 'enrolment-tokens', path: '/enrolment-tokens', heading: 'Enrolment tokens' },
  { name: 'about', path: '/about', heading: 'About' },
  { name: 'not-found', path: '/nowhere', heading: 'There is no such page' },
]

type AxeViolation = { id: string; nodes: { html: string }[] }
type Axe = { run(options: object): Promise<{ violations: AxeViolation[] }> }

async function violations(page: Page, options = {}): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate((rules) => (globalThis as never as { axe: Axe }).axe.run(rules), options)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
}

async function settled(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await expect.poll(() => page.locator('.mantine-Skeleton-root, [data-loading]').count()).toBe(0)
}

// Colours change nothing but contrasts.
const contrasts = { runOnly: ['color-contrast'] }

for (const { name, path, heading } of pages)
  inBrowser(`the page ${name} is accessible, in light and in dark colours`, async () => {
    const { page, goTo } = await visit()
    await page.emulateMedia({ colorScheme: 'light' })
    await goTo(path)
    await settled(page, heading)

    const inLight = await violations(page)
    await screenshot(page, `${name}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    const inDark = await violations(page, contrasts)
    await screenshot(page, `${name}-dark`)

    expect([...inLight, ...inDark]).toEqual([])
  })
