import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { eventually } from './open-browser.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type AxeViolation = { id: string; nodes: { html: string }[] }
type Axe = { run(options: object): Promise<{ violations: AxeViolation[] }> }

// Only what is wrong is described, without the paths to it: describing all that is right takes longer than the checks.
const briefly = { resultTypes: ['violations'], selectors: false }

/** Colours change nothing but contrasts. */
export const contrasts = { runOnly: ['color-contrast'] }

/** What axe finds wrong for people with disabilities, once nothing moves any more. */
export async function violations(page: Page, options = {}): Promise<string[]> {
  await eventually(() => page.evaluate('document.getAnimations().length')).toBe(0)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  return page.evaluate(
    async (rules) => {
      const found = await (globalThis as never as { axe: Axe }).axe.run(rules)
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
    },
    { ...briefly, ...options },
  )
}
