import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Role, roleNames } from '../../../src/platform/roles.ts'
import { openWorld, type World, type WorldOptions } from '../../world/open-world.ts'
import { findChromium, launchArguments } from './chromium.ts'

const executablePath = await findChromium()
if (!executablePath)
  console.warn(
    '\n*** NO CHROMIUM: the browser tests of the pages are left out. Install it, or name it in MUSTER_CHROMIUM. ***\n',
  )

/** A test that needs a browser, and may need longer than others on a machine that is busy. */
export const inBrowser = (name: string, check: () => Promise<void>) =>
  test.runIf(executablePath !== undefined)(name, check, 90_000)

export type Credentials = { id: number; clientId: string; secret: string }

export type Visit = { page: Page; context: BrowserContext; me: Credentials; goTo(path: string): Promise<void> }

export type VisitOptions = BrowserContextOptions & {
  /** All unless given. */
  roles?: readonly Role[]
  /** In a session that no other test uses. */
  isAlone?: boolean
}

export type PagesOptions = WorldOptions & {
  port?: number
  /** Other origins to which the browser may go. */
  isAllowed?: readonly string[]
}

export type Pages = World & {
  address: string
  /** Somebody who is signed in. Visits without options are made by one person, whose browser knows the files by then. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Somebody who is not signed in. */
  stranger(options?: BrowserContextOptions): Promise<Omit<Visit, 'me'>>
}

/** The service with its pages on a port of its own, and a browser. */
export async function openPages({ port = 0, isAllowed = [], ...options }: PagesOptions = {}): Promise<Pages> {
  const configuration = { signInRateLimit: 0, ...options.configuration }
  const world = await openWorld({ ...options, configuration })
  const address = await world.app.http.listen({ host: '127.0.0.1', port })
  const origins = [address, ...isAllowed]
  const browser = onFirstUse(() => chromium.launch({ executablePath: executablePath ?? '', args: launchArguments }))
  afterAll(async () => (await browser.ifUsed())?.close())
  const newContext = async (own: BrowserContextOptions) => {
    const context = await (await browser()).newContext({ ...everywhere, baseURL: address, ...own })
    context.setDefaultTimeout(20_000)
    await context.route(
      (url) => !isAmong(origins)(url),
      (route) => route.abort(),
    )
    return context
  }

  async function signedIn(own: BrowserContextOptions, roles: readonly Role[]) {
    const me = await world.given.localPrincipal({ roles, description: 'The visitor' })
    const context = await newContext(own)
    const data = { clientId: me.clientId, clientSecret: me.secret }
    const answer = await context.request.post('/admin/session', { data })
    if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}: ${await answer.text()}`)
    return { me, context }
  }
  const ordinary = onFirstUse(() => signedIn({}, roleNames))

  return {
    ...world,
    address,
    async visit({ roles = roleNames, isAlone = false, ...own } = {}) {
      const isOrdinary = !isAlone && roles === roleNames && Object.keys(own).length === 0
      const { me, context } = await (isOrdinary ? ordinary() : signedIn(own, roles))
      return { me, ...(await openTab(context, origins)) }
    },
    stranger: async (own = {}) => openTab(await newContext(own), origins),
  }
}

const isAmong = (origins: readonly string[]) => (url: URL) => origins.includes(url.origin)

const everywhere = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const

async function openTab(context: BrowserContext, origins: readonly string[]): Promise<Omit<Visit, 'me'>> {
  const page = await context.newPage()
  const faults = watch(page, origins)
  onTestFinished(async () => {
    await page.close()
    if (faults.length > 0) throw new Error(`The page had faults:\n${faults.join('\n')}`)
  })
  return { page, context, goTo: async (path: string) => void (await page.goto(`/admin${path}`)) }
}

function onFirstUse<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  const use = () => {
    made ??= make()
    return made
  }
  return Object.assign(use, { ifUsed: () => made })
}

/** Whatever should not happen in any test: a script that fails, a broken policy, a request to somewhere else. */
function watch(page: Page, origins: readonly string[]): string[] {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (/content security policy|react|mantine/i.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const isOurs = new URL(request.frame().url()).origin === origins[0]
    if (isOurs && !isAmong(origins)(new URL(request.url()))) faults.push(`went to ${request.url()}`)
  })
  return faults
}

const artifacts = join(import.meta.dirname, '../../../../artifacts/pages')

/** Keeps a picture for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(artifacts, { recursive: true })
  // What lies over the page belongs to the part of it that is seen.
  const fullPage = (await page.getByRole('dialog').count()) === 0
  await page.screenshot({ path: join(artifacts, `${name}.png`), fullPage })
}

/** For what comes by and by, on a machine that may be busy. */
export const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 20_000 })
