import { expect, test, vi } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, contentOf, dialog, fill, gone } from '../world/acts.ts'
import { example, FakeAnswer, type FakeService, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'
import { sessionOf, visitor } from '../world/session.ts'

type Credentials = { clientId: string; clientSecret: string }

/** Nobody is signed in yet. Only the secret of the visitor is right. */
function givenSignedOut(refusal = 'InvalidCredentials'): FakeService {
  let isSignedIn = false
  return fakeService()
    .onAny('GET /admin/session', () => (isSignedIn ? sessionOf() : problem(401, 'Unauthorized')))
    .onAny('POST /admin/session', ({ body }) => {
      isSignedIn = (body as Credentials).clientSecret === visitor.secret
      return isSignedIn ? sessionOf() : signInRefused(refusal)
    })
}

const signInRefused = (code: string) =>
  new FakeAnswer({ status: 401, code, title: code, detail: code }, { status: 401 })

async function signIn(place: HTMLElement, secret: string): Promise<void> {
  await fill(within(place).getByLabelText('Client secret'), secret)
  await click(button(place, 'Sign in'))
}

test('a wrong secret is refused, and the right one leads to the requested page', async () => {
  givenSignedOut()
  const { address } = await openPage('/admin/audit?operation=signIn')
  await fill(await screen.findByLabelText('Client ID'), visitor.clientId)

  await signIn(document.body, 'wrong')
  await screen.findByText(/Wrong client ID or secret/)
  await expectAccessible(screen.getByRole('main'))
  await signIn(document.body, visitor.secret)

  await screen.findByRole('heading', { name: 'Audit trail' })
  expect(address()).toBe('/admin/audit?operation=signIn')
})

test('somebody without a role sees why it cannot sign in', async () => {
  givenSignedOut('RoleRequired')
  await openPage('/')
  await fill(await screen.findByLabelText('Client ID'), visitor.clientId)

  await signIn(document.body, 'of somebody without a role')

  await screen.findByText(/you have no role yet/)
})

test('every role sees the pages that it may use', async () => {
  fakeService({ roles: ['computer.read'] })
  await openPage('/computers')

  await screen.findByRole('link', { name: 'Computers' })
  for (const name of ['Rollouts', 'Issues', 'About']) screen.getByRole('link', { name })
  for (const name of ['Principals', 'Groups', 'Packages', 'Patches', 'Approvals'])
    expect(screen.queryByRole('link', { name })).toBeNull()
})

test.each([
  ['UnknownUser', /An administrator must add you/],
  ['<img src=x onerror=alert(1)>', 'Sign-in failed (<img src=x onerror=alert(1)>).'],
])('the sign-in page explains why a sign-in with a provider failed: %s', async (code, explanation) => {
  givenSignedOut()
  await openPage(`/admin/sign-in?error=${encodeURIComponent(code)}`)

  await screen.findByText(explanation)
})

test('the first administrator grants itself the roles for the fleet after a review', async () => {
  const path = '/api/admin/local-principals/{id}'
  const own = { id: 1, roles: ['admin.manage'] }
  let roles: readonly string[] = own.roles
  const service = fakeService({ roles: ['admin.manage'] })
    .on(`GET ${path}`, example(`GET ${path}`, own))
    .on(`PUT ${path}`, ({ body, query }) => {
      if (!query.has('dryRun')) roles = body?.roles ?? []
      return example(`GET ${path}`, { ...own, roles: body?.roles ?? [] })
    })
    .onAny('GET /admin/session', () => sessionOf({ roles: roles as never }))
  await openPage('/')
  await click(await screen.findByRole('button', { name: 'Review the roles' }))
  const panel = await dialog('Get access to the fleet')
  await within(panel).findByText(/gets 14 roles/)
  within(panel).getByText('reboot.execute')
  await expectAccessible(panel)
  expect(service.bodies(`PUT ${path}`)).toEqual([])

  await click(button(panel, 'Grant me these roles'))

  await screen.findByRole('link', { name: 'Computers' })
  expect(roles).toHaveLength(15)
  await waitFor(() => expect(screen.queryByText('Get access to the fleet')).toBeNull())
})

/** A session that ends with the next request to the API. */
function givenSessionThatEnds() {
  let hasEnded = false
  const service = fakeService()
  const { fetch } = service
  const answer = async (input: Request | string) => {
    const isApi = input instanceof Request && new URL(input.url).pathname.startsWith('/api/')
    return hasEnded && isApi ? Response.json({ code: 'Unauthorized' }, { status: 401 }) : fetch(input)
  }
  globalThis.fetch = answer as typeof globalThis.fetch
  return {
    service,
    end: () => {
      hasEnded = true
    },
    renew: () => {
      hasEnded = false
      return sessionOf()
    },
  }
}

test('a session that ends while the user types is renewed without losing input', async () => {
  const { service, end, renew } = givenSessionThatEnds()
  service
    .onAny('POST /admin/session', renew)
    .on('POST /api/admin/local-principals', example('POST /api/admin/local-principals'))
  await openPage('/admin/principals/new')
  await fill(await screen.findByLabelText(/^Description/), 'Typed before the session ended')
  end()

  await click(button(document.body, 'Create'))
  const again = await dialog('Your session has ended')
  await expectAccessible(again)
  expect(contentOf(within(again).getByLabelText('Client ID'))).toBe(visitor.clientId)
  await signIn(again, visitor.secret)
  await gone(again)
  expect(screen.queryByText(/Your session had ended/)).toBeNull()
  await click(button(document.body, 'Create'))

  await dialog('Store this secret now')
  expect(service.bodies('POST /api/admin/local-principals')).toMatchObject([
    { description: 'Typed before the session ended' },
  ])
})

test('an idle page is covered when its session expires', async () => {
  const minutes = 60_000
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    fakeService({ idleMinutes: 30 })
    await openPage('/admin/about')
    vi.setSystemTime(Date.now() + 31 * minutes)

    document.dispatchEvent(new Event('visibilitychange'))

    await dialog('Your session has ended')
  } finally {
    vi.useRealTimers()
  }
})

test('a revoked principal is signed out with the next request', async () => {
  const { service, end } = givenSessionThatEnds()
  service.onAny('POST /admin/session', () => signInRefused('InvalidCredentials'))
  await openPage('/admin/principals')
  await screen.findByRole('link', { name: 'Ada Lovelace' })
  end()

  await click(button(document.body, 'Refresh'))
  const again = await dialog('Your session has ended')
  await signIn(again, visitor.secret)

  await within(again).findByText(/revoked or expired/)
})

test('a sign-in link works in a tab that already shows the sign-in page', async () => {
  const service = givenSignedOut()
  service.onAny('POST /admin/session/link', ({ body }) =>
    (body as { token: string }).token === 'fresh' ? sessionOf() : signInRefused('LinkInvalid'),
  )
  await openPage('/admin/sign-in')
  await screen.findByLabelText('Client ID')

  for (const token of ['stale', 'fresh']) {
    location.hash = `#link=${token}`
    window.dispatchEvent(new Event('hashchange'))
    if (token === 'stale') await screen.findByRole('alert')
  }

  await screen.findByRole('heading', { name: 'Overview' })
  expect(location.hash).toBe('')
})
