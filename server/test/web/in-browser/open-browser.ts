import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { findChromium, launchArguments } from './chromium.ts'

const executablePath = await findChromium()
if (!executablePath)
  console.warn(
    '\n*** NO CHROMIUM: the browser tests of the pages are left out. Install it, or name it in MUSTER_CHROMIUM. ***\n',
  )

// There is no second attempt, so limits that only detect what hangs are far above what a busy machine needs.
const stepMilliseconds = 60_000
const journeyMilliseconds = 300_000

/** A test that needs a browser, and may need longer than others on a machine that is busy. */
export const inBrowser = (name: string, check: () => Promise<void>, timeout = journeyMilliseconds) =>
  test.runIf(executablePath !== undefined)(name, check, timeout)

export type Tab = { page: Page; context: BrowserContext; goTo(path: string): Promise<void> }

/** All test files of a worker share one browser, because starting it takes long. It ends with the worker. */
const browser = onFirstUse(() => chromium.launch({ executablePath: executablePath ?? '', args: launchArguments }))

/** Visitors of the pages at this address, who leave after the tests of the file. */
export function openBrowser(address: string) {
  const contexts: BrowserContext[] = []
  afterAll(() => Promise.all(contexts.map((context) => context.close())))
  return {
    /** The cookies and settings of this visitor. */
    async newContext(own: BrowserContextOptions): Promise<BrowserContext> {
      const context = await (await browser()).newContext({ ...everywhere, baseURL: address, ...own })
      contexts.push(context)
      context.setDefaultTimeout(stepMilliseconds)
      await keepCompiledScripts(context)
      return context
    },
    async openTab(context: BrowserContext): Promise<Tab> {
      const page = await context.newPage()
      const faults = watch(page, address)
      onTestFinished(async () => {
        await page.close()
        if (faults.length > 0) throw new Error(`The page had faults:\n${faults.join('\n')}`)
      })
      return { page, context, goTo: async (path: string) => void (await page.goto(path)) }
    },
  }
}

/** Tabs of one visitor share a process as long as one of them is open. It has compiled the scripts of the pages. */
async function keepCompiledScripts(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto('/health')
}

const everywhere = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const

export function onFirstUse<T>(make: () => Promise<T>) {
  let created: Promise<T> | undefined
  return () => {
    created ??= make()
    return created
  }
}

/** Whatever should not happen in any test: a script that fails, a broken policy, a file from somewhere else. */
function watch(page: Page, address: string): string[] {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (/content security policy|react|mantine/i.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const isFromPages = page.url().startsWith(address) && !request.isNavigationRequest()
    if (isFromPages && !request.url().startsWith(address)) faults.push(`asked for ${request.url()}`)
  })
  return faults
}

const artifacts = join(import.meta.dirname, '../../../../artifacts/web')

/** Keeps a picture for people to look at, if somebody has asked for it: drawing takes as long as some tests. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.MUSTER_TEST_PICTURES === undefined) return
  await mkdir(artifacts, { recursive: true })
  // What lies over the page belongs to the part of it that is seen.
  const fullPage = (await page.getByRole('dialog').count()) === 0
  await page.screenshot({ path: join(artifacts, `${name}.png`), fullPage })
}

/** For what comes by and by, on a machine that may be busy. */
export const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: stepMilliseconds })

/** How wide the content is. After a change of the window, the layout takes a moment to follow. */
export const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

/** Until nothing of the page is being read any more. */
export const settled = (page: Page) =>
  eventually(() => page.locator('.mantine-Skeleton-root, [data-loading], [aria-busy="true"]').count()).toBe(0)
