import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually, screenshot, widthOf } from '../web/in-browser/open-browser.ts'
import type { Visit, VisitOptions } from '../web/in-browser/open-pages.ts'
import { violations } from '../web/in-browser/violations.ts'

export type ShownPage = { name: string; path: string; heading: string; german: string }

const phone = { width: 390, height: 800 }

async function settled(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await eventually(() => page.locator('.mantine-Skeleton-root, [data-loading]').count()).toBe(0)
}

/** Looks at pages in light and dark colours, on a phone and in German, and keeps a picture of each. */
export async function expectAccessible(visit: (options?: VisitOptions) => Promise<Visit>, pages: readonly ShownPage[]) {
  const [{ page }, german] = [await visit(), await visit({ locale: 'de-DE' })]
  for (const { name, path, heading, german: germanHeading } of pages) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(path)
    await settled(page, heading)
    const inLight = await violations(page)
    await screenshot(page, `${name}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('[data-mantine-color-scheme=dark]').waitFor()
    const inDark = await violations(page, { runOnly: ['color-contrast'] })
    await screenshot(page, `${name}-dark`)
    await page.setViewportSize(phone)
    await eventually(() => widthOf(page)).toBeLessThanOrEqual(phone.width)
    await screenshot(page, `${name}-phone`)
    await german.page.goto(path)
    await settled(german.page, germanHeading)
    await screenshot(german.page, `${name}-german`)
    expect([...inLight, ...inDark], name).toEqual([])
  }
}
