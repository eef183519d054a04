import type { BrowserContextOptions } from 'playwright-core'
import { type Role, roleNames } from '../../../src/platform/roles.ts'
import { openWorld, type World, type WorldOptions } from '../../world/open-world.ts'
import { onFirstUse, openBrowser, type Tab } from './open-browser.ts'

export type Visit = Tab & { me: { id: number; clientId: string; secret: string } }

export type VisitOptions = BrowserContextOptions & {
  /** All unless given. */
  roles?: readonly Role[]
  /** In a session that no other test uses. */
  isAlone?: boolean
}

type Served = {
  address: string
  /** Opens a tab of a signed-in user. Visits without options share one browser, which has cached the files. */
  visit(options?: VisitOptions): Promise<Visit>
  /** Opens a tab of a user who is not signed in. */
  openSignedOut(options?: BrowserContextOptions): Promise<Tab>
}

export type Pages = World & Served

/** The service with its pages on a port of its own, and a browser. */
export async function openPages({ port = 0, ...options }: WorldOptions & { port?: number } = {}): Promise<Pages> {
  const configuration = { signInRateLimit: 0, ...options.configuration }
  const world = await openWorld({ ...options, configuration })
  return { ...world, ...(await servePages(world, port)) }
}

/** The pages of a world on a port of its own, and a browser. Its configuration should not limit sign-ins. */
export async function servePages(world: World, port = 0): Promise<Served> {
  const address = await world.app.http.listen({ host: '127.0.0.1', port })
  const { newContext, openTab } = openBrowser(address)

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
    address,
    async visit({ roles = roleNames, isAlone = false, ...own } = {}) {
      const isOrdinary = !isAlone && roles === roleNames && Object.keys(own).length === 0
      const { me, context } = await (isOrdinary ? ordinary() : signedIn(own, roles))
      return { me, ...(await openTab(context)) }
    },
    openSignedOut: async (own = {}) => openTab(await newContext(own)),
  }
}
