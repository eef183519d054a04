import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from '../../server/test/web/in-browser/open-browser.ts'

const maxStops = 80

/** What marks the focus: an outline, or the border, shadow or background of the element or of what surrounds it. */
const looksOf = `(element) => [element, element.parentElement, element.closest('label, [class*=-wrapper]') ?? element].map((one) => {
  const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow, backgroundColor } = getComputedStyle(one)
  return [outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow, backgroundColor].join()
}).join('|')`

/**
 * Remembers how the element with the focus looks, and returns what is wrong with the one before: that it looks the same without the
 * focus, or that it was not in the window.
 */
const lookAtFocus = `(async () => {
  // Borders change their colours within a tenth of a second.
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  const looksOf = ${looksOf}
  const before = globalThis.focusedBefore
  const fault = before?.element.isConnected && before.element !== document.body && before.element !== document.activeElement && before.looks === looksOf(before.element)
    ? 'The focus is not visible on ' + before.element.outerHTML.slice(0, 200) : ''
  const element = document.activeElement
  const { top, left, bottom, right, width, height } = element.getBoundingClientRect()
  const isSeen = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  globalThis.focusedBefore = { element, looks: looksOf(element) }
  return fault || (element === document.body || isSeen ? '' : 'Outside of the window: ' + element.outerHTML.slice(0, 200))
})()`

const hasPassedPage = 'document.activeElement === document.body'

/** What screen readers announce: new alerts, and changes of regions that were there before. */
const recordAnnouncements = `(() => {
  globalThis.announced = []
  const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]'
  const known = new WeakSet()
  const text = (region) => region.textContent.trim().replaceAll(/\\s+/g, ' ')
  const announce = (region) => {
    if (region.closest('[aria-busy=true]') === null && text(region) !== '') globalThis.announced.push(text(region))
  }
  const learn = () => document.querySelectorAll(live).forEach((region) => known.add(region))
  new MutationObserver((changes) => {
    const regions = new Set()
    for (const { target, addedNodes } of changes) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement
      const region = element?.closest(live)
      if (region && known.has(region)) regions.add(region)
      for (const node of addedNodes)
        if (node.nodeType === Node.ELEMENT_NODE)
          for (const alert of [node, ...node.querySelectorAll('[role=alert]')]) if (alert.matches('[role=alert]')) regions.add(alert)
    }
    for (const region of regions) announce(region)
    learn()
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-busy'] })
  learn()
})()`

const spokenLine = /^- (?:'((?:[^']|'')*)'|(\w+(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*))/

/** A person who has no mouse, and hears what has the focus. Elements are named as screen readers do: 'button "Deploy"'. */
export function byKeyboard(page: Page) {
  const faults: string[] = []

  /** What the focus is on: its role, name and state. */
  const heard = async () => {
    const focus = page.locator(':focus')
    if ((await focus.count()) === 0) return 'nothing'
    // Of a line of YAML, without the content of the element.
    const [, quoted, plain = ''] = spokenLine.exec(await focus.ariaSnapshot()) ?? []
    return quoted?.replaceAll("''", "'") ?? plain
  }

  const look = async () => {
    const fault = await page.evaluate<string>(lookAtFocus)
    if (fault) faults.push(fault)
  }

  const press = async (key: string) => {
    await page.keyboard.press(key)
    await look()
  }

  /** Moves on until the focus is on the element whose role and name begin so. */
  async function tabTo(wanted: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const stops: string[] = []
    while (stops.length < maxStops) {
      await press(key)
      const stop = await heard()
      if (stop.startsWith(wanted)) return
      stops.push(stop)
    }
    throw new Error(`The keyboard does not reach ${wanted}, only ${stops.join(', ')}.`)
  }

  return {
    heard,
    press,
    tabTo,
    type: (text: string) => page.keyboard.type(text),
    hears: (wanted: string) => eventually(heard).toMatch(new RegExp(`^${RegExp.escape(wanted)}`)),
    /** What the open dialog consists of, for people who cannot see it. */
    tree: () => page.getByRole('dialog').last().ariaSnapshot(),
    /** Moves through the whole dialog, forwards and backwards, and beyond both of its ends. */
    async staysInDialog(): Promise<string[]> {
      const stops = new Set<string>()
      const start = await heard()
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let stop = 0; stop < maxStops; stop++) {
          await press(key)
          expect(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true)
          stops.add(await heard())
          if (stop > 2 && (await heard()) === start) break
        }
      }
      return [...stops]
    },
    /** From now on, what is announced is remembered. */
    listen: () => page.evaluate(recordAnnouncements),
    announces: (wanted: RegExp) =>
      eventually(async () => (await page.evaluate<string[]>('globalThis.announced')).join('\n')).toMatch(wanted),
    /** What was wrong with the focus so far. */
    faults: async () => {
      await look()
      return faults
    },
    hasPassedPage: () => page.evaluate<boolean>(hasPassedPage),
  }
}
