import type { Page } from 'playwright-core'

/** The texts of badges that do not fit into them. */
export const cutBadges = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.mantine-Badge-label')]
    .filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent)`)
