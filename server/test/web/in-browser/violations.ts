import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { eventually } from './open-browser.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Found = { violations: { id: string; nodes: { html: string }[] }[] }

// Only what is wrong is described, without the paths to it: describing all that is right takes longer than the checks.
const briefly = { resultTypes: ['violations'], selectors: false, preload: false }

/**
 * One text of each look: of those with the same colour, size and backgrounds, all have the same contrast. Comparing the colours
 * of every cell of a table would take longer than all other checks.
 */
const distinctTexts = `(() => {
  const backgrounds = new Map()
  const backgroundOf = (element) => {
    if (!element) return ''
    if (!backgrounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      const own = [backgroundColor, backgroundImage, opacity].join(' ').replace('rgba(0, 0, 0, 0) none 1', '')
      backgrounds.set(element, backgroundOf(element.parentElement) + (own && '/' + own))
    }
    return backgrounds.get(element)
  }
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return [color, fontSize, fontWeight, textShadow, backgroundOf(element), element.matches(':disabled')].join()
  }
  const hasText = (element) => element.matches('input, textarea, select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
  const texts = [...document.body.querySelectorAll('*')].filter((element) => hasText(element) && element.checkVisibility())
  return [...new Map(texts.reverse().map((element) => [lookOf(element), element])).values()]
})()`

/** The rows of a table are made by the same code: the first ones show what is wrong with all of them. */
const withoutRepetitions = JSON.stringify({ exclude: [['tbody > tr:nth-child(n+6)'], ['li:nth-child(n+12)']] })

/** What axe finds wrong for people with disabilities, once nothing moves any more. */
export async function violations(page: Page): Promise<string[]> {
  await prepare(page)
  const others = await run(page, withoutRepetitions, { rules: { 'color-contrast': { enabled: false } } })
  return [...others, ...(await findContrasts(page))]
}

/** The part of it that colours change. */
export async function lowContrasts(page: Page): Promise<string[]> {
  await prepare(page)
  return findContrasts(page)
}

const findContrasts = (page: Page) => run(page, `{ include: ${distinctTexts} }`, { runOnly: ['color-contrast'] })

async function prepare(page: Page): Promise<void> {
  await eventually(() => page.evaluate('document.getAnimations().length')).toBe(0)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
}

async function run(page: Page, context: string, options: object): Promise<string[]> {
  const found = await page.evaluate<Found>(`axe.run(${context}, ${JSON.stringify({ ...briefly, ...options })})`)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
}
