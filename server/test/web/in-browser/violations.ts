import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { eventually } from './open-browser.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Only what is wrong is described, without the paths to it: describing all that is right takes longer than the checks.
const briefly = { resultTypes: ['violations', 'incomplete'], selectors: false, preload: false, elementRef: true }

/**
 * Compares the colours of one text of each look: of those with the same colour, size and backgrounds, all have the same
 * contrast, on this page and on those that were checked before in the same window. If axe cannot decide, because something
 * lies over the text, the next text of the look is compared.
 */
const findLowContrasts = (place: string) => `(async () => {
  const checkedLooks = (globalThis.checkedLooks ??= new Set())
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
  const texts = [...document.querySelectorAll('${place} *')].filter((element) => hasText(element) && element.checkVisibility())
  const newTexts = new Map()
  for (const element of texts.reverse()) {
    const look = lookOf(element)
    if (!checkedLooks.has(look)) newTexts.set(look, element)
  }
  if (newTexts.size === 0) return []
  const options = ${JSON.stringify({ ...briefly, runOnly: ['color-contrast'] })}
  const { violations, incomplete } = await axe.run({ include: [...newTexts.values()] }, options)
  const undecided = new Set(incomplete.flatMap(({ nodes }) => nodes.map(({ element }) => element)))
  for (const [look, element] of newTexts) if (!undecided.has(element)) checkedLooks.add(look)
  return describeAll(violations)
})()`

/**
 * Checks everything else. The rows of a table are made by the same code, and so is the frame around the pages: of those
 * that consist of the same elements with the same attributes, one is checked, wherever it is. Axe does not see the others,
 * nor what is beside the place: to leave out each of their elements for every rule takes longer than the checks. The header
 * of a dialog stays, because it is its name.
 */
const findOtherFaults = (place: string) => `(async () => {
  const checkedShapes = (globalThis.checkedShapes ??= new Set())
  const parts = [...document.querySelectorAll(':is(${place}) :is(tbody > tr, li, nav, header:not([role=dialog] *))')]
  const keepKeywords = (attribute) => (/^="[a-z-]*"$/.test(attribute) ? attribute : '="…"')
  const shapeOf = ({ outerHTML }) =>
    outerHTML.replaceAll(/="[^"]*"/g, keepKeywords).replaceAll(/>\\s*[^<\\s][^<]*</g, '>…<')
  const isBeside = (part) => !part.closest('${place}') && !part.querySelector('${place}')
  const unseen = new Set([...document.body.children].filter(isBeside))
  for (const part of parts) {
    const shape = shapeOf(part)
    if (checkedShapes.has(shape)) unseen.add(part)
    checkedShapes.add(shape)
  }
  const parents = new Map([...unseen].map((part) => [part.parentNode, [...part.parentNode.childNodes]]))
  for (const [parent, children] of parents)
    Object.defineProperty(parent, 'childNodes', { configurable: true, value: children.filter((child) => !unseen.has(child)) })
  const options = ${JSON.stringify({ ...briefly, rules: { 'color-contrast': { enabled: false } } })}
  try {
    return describeAll((await axe.run({ include: [['${place}']] }, options)).violations)
  } finally {
    for (const parent of parents.keys()) delete parent.childNodes
  }
})()`

const describeAll = `globalThis.describeAll = (violations) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ element, any }) =>
    [element.outerHTML.slice(0, 300), ...any.map(({ message }) => message)].join(' ')).join('\\n  '))`

/** What axe finds wrong for people with disabilities in the page, or in a part of it, once nothing moves any more. */
export async function violations(page: Page, place = 'html'): Promise<string[]> {
  await prepare(page)
  const others = await page.evaluate<string[]>(findOtherFaults(place))
  return [...others, ...(await page.evaluate<string[]>(findLowContrasts(place)))]
}

/** The part of it that colours change. */
export async function lowContrasts(page: Page): Promise<string[]> {
  await prepare(page)
  return page.evaluate<string[]>(findLowContrasts('body'))
}

/** The same in dark and in light colours, which the page follows without being loaded again. */
export async function lowContrastsInAllColours(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    found.push(...(await lowContrasts(page)))
  }
  return found
}

async function prepare(page: Page): Promise<void> {
  await eventually(() => page.evaluate('document.getAnimations().length')).toBe(0)
  if (!(await page.evaluate('"axe" in globalThis')))
    await page.evaluate(`${axe};axe.configure({ noHtml: true });${describeAll}`)
}
