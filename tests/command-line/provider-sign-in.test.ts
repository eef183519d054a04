import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { enterDeviceCode, throughProvider } from '../../server/test/web/provider-flow.ts'
import {
  apiAudience,
  commandLine,
  commandLineWithoutDevice,
  refreshTokenDays,
  startIdentityProvider,
} from '../../server/test/world/identity-provider.ts'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const provider = await startIdentityProvider({ pages: 'http://localhost' })
afterAll(() => provider.close())
const parameters = { resource: apiAudience, prompt: 'consent' }
const signIn = { ...commandLine, scopes: ['openid', 'offline_access', 'api'], parameters }
const world = await openWorld({
  configuration: { identityProviders: [{ ...provider.settings, commandLine: signIn }] },
})
const { address, musterOn, settings } = await commandsIn(world)
await world.given.identityPrincipal({
  subjectId: 'ada',
  issuer: provider.issuer,
  displayName: 'Ada',
  roles: ['computer.read'],
})

let browsing: Promise<unknown> = Promise.resolve()

/** No credentials in the environment, as on the computer of a person. */
const person = {
  environment: { XDG_CONFIG_HOME: settings },
  ask: async () => 'yes',
  /** The browser of the person, who enters a code or returns to the command. */
  openBrowser(page: string) {
    browsing = page.includes('/device') ? enterDeviceCode(page) : throughProvider(provider.issuer, page).then(fetch)
  },
}
async function muster(...args: string[]) {
  const result = await musterOn(person, ...args)
  await browsing
  return result
}

type Stored = { provider: { refreshToken: string }; token: { accessToken: string } }
async function storedProfile(name: string): Promise<Stored> {
  const { profiles } = JSON.parse(await readFile(join(settings, 'muster/credentials.json'), 'utf8'))
  return profiles[name]
}

const hour = 3_600_000
/** Access tokens of the provider are valid for an hour. */
const laterBy = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
afterEach(() => vi.useRealTimers())

test('a person signs in with a code on any device, at the provider that the service names', async () => {
  const login = await muster('login', address, '--as', 'ada')

  expect(login.err).toContain(`Issuer    ${provider.issuer}\n  Client    ${commandLine.clientId}\n`)
  expect(login.err).toMatch(/\nGo to http:\S+\/device on any device and enter the code \w{4}-\w{4}\n$/)
  expect(login.out).toContain('as Ada. Roles: computer.read')
  expect((await muster('computers', '--profile', 'ada')).code).toBe(0)
})

test('a person signs in with the browser, if the provider does not allow codes or the person prefers it', async () => {
  const { clientId } = commandLineWithoutDevice
  const known = [
    '--issuer',
    provider.issuer,
    '--client-id',
    clientId,
    '--audience',
    apiAudience,
    '--scope',
    'openid api',
  ]

  const fallback = await muster('login', address, ...known, '--as', 'fallback')
  const chosen = await muster('login', address, '--flow', 'loopback', '--as', 'chosen')
  const impossible = await muster('login', address, ...known, '--flow', 'device', '--as', 'impossible')

  for (const login of [fallback, chosen]) {
    expect(login.err).toContain('Sign in with your browser.')
    expect(login.out).toContain('as Ada. Roles: computer.read')
  }
  expect(impossible).toMatchObject({ code: 1, err: expect.stringContaining('does not offer the device flow') })
})

test('a return of the browser with the state of another sign-in is refused', async () => {
  const forged = {
    ...person,
    async openBrowser(page: string) {
      const back = await throughProvider(provider.issuer, page)
      back.searchParams.set('state', 'of-another-sign-in')
      await fetch(back)
    },
  }

  const login = await musterOn(forged, 'login', address, '--flow', 'loopback', '--as', 'forged')

  expect(login).toMatchObject({ code: 1, err: expect.stringContaining('refused the sign-in') })
})

test('the command waits for the browser on the loopback address only, and for nothing but its return', async () => {
  const outcomes: unknown[] = []
  const curious = {
    ...person,
    async openBrowser(page: string) {
      const back = await throughProvider(provider.issuer, page)
      const elsewhere = new URL(back)
      elsewhere.hostname = '127.0.0.2'
      outcomes.push(await fetch(elsewhere).catch(() => 'no answer'))
      for (const path of ['/favicon.ico', '//', `//elsewhere.example/callback${back.search}`])
        outcomes.push((await fetch(`${back.origin}${path}`)).status)
      await fetch(back)
    },
  }

  const login = await musterOn(curious, 'login', address, '--flow', 'loopback', '--as', 'curious')

  expect(outcomes).toEqual(['no answer', 404, 404, 404])
  expect(login.code).toBe(0)
})

test('a sign-in that the person refuses is a failure, with a code or in the browser', async () => {
  provider.user = null
  onTestFinished(() => {
    provider.user = 'ada'
  })
  const device = await muster('login', address, '--as', 'nobody')
  const browser = await muster('login', address, '--flow', 'loopback', '--as', 'nobody')

  expect([device.code, browser.code]).toEqual([1, 1])
  for (const { err } of [device, browser]) expect(err).toContain('The identity provider refused the sign-in')
  expect((await muster('status', '--profile', 'nobody')).err).toContain('There is no profile "nobody".')
})

test('an access token that has expired is renewed, each time with the refresh token of the last renewal', async () => {
  await muster('login', address, '--flow', 'loopback', '--as', 'renewed')
  const first = await storedProfile('renewed')
  laterBy(2 * hour)
  const renewed = await muster('computers', '--profile', 'renewed')
  const second = await storedProfile('renewed')
  laterBy(2 * hour)
  const again = await muster('computers', '--profile', 'renewed')
  const third = await storedProfile('renewed')

  expect([renewed.code, again.code]).toEqual([0, 0])
  expect(new Set([first, second, third].map((profile) => profile.provider.refreshToken)).size).toBe(3)
  expect(new Set([first, second, third].map((profile) => profile.token.accessToken)).size).toBe(3)
})

test('commands that run at the same time renew the token once', async () => {
  await muster('login', address, '--flow', 'loopback', '--as', 'together')
  laterBy(2 * hour)
  const requests = vi.spyOn(globalThis, 'fetch')

  const results = await Promise.all([1, 2, 3].map(() => muster('computers', '--profile', 'together')))
  const targets = requests.mock.calls.map(([target]) => (target instanceof Request ? target.url : String(target)))
  requests.mockRestore()
  expect(targets.filter((target) => target === `${provider.issuer}/token`)).toHaveLength(1)
  laterBy(2 * hour)
  const later = await muster('computers', '--profile', 'together')

  // The provider ends a sign-in if a refresh token is used twice.
  expect([...results, later].map(({ code, err }) => [code, err])).toEqual(Array(4).fill([0, '']))
})

test('a sign-in that has expired or was revoked at the provider is a failure that says what to do', async () => {
  await muster('login', address, '--flow', 'loopback', '--as', 'expired')
  await muster('login', address, '--flow', 'loopback', '--as', 'revoked')
  const { refreshToken } = (await storedProfile('revoked')).provider
  await fetch(`${provider.issuer}/token/revocation`, {
    method: 'POST',
    body: new URLSearchParams({ token: refreshToken, client_id: commandLine.clientId }),
  })

  laterBy(2 * hour)
  const revoked = await muster('computers', '--profile', 'revoked')
  const valid = await muster('computers', '--profile', 'expired')
  laterBy((refreshTokenDays * 24 + 1) * hour)
  const expired = await muster('computers', '--profile', 'expired')

  expect(valid.code).toBe(0)
  for (const { code, err } of [revoked, expired]) {
    expect(code).toBe(1)
    expect(err).toMatch(/^The sign-in has ended: .*\. Run muster login again\.\n$/)
  }
})

test('a sign-out also ends the sign-in at the provider', async () => {
  await muster('login', address, '--flow', 'loopback', '--as', 'leaving')
  const { refreshToken } = (await storedProfile('leaving')).provider

  const logout = await muster('logout', 'leaving')
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: commandLine.clientId }
  const renewal = await fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })

  expect(logout).toMatchObject({ code: 0, err: '' })
  expect(await renewal.json()).toMatchObject({ error: 'invalid_grant' })
})

test('if the service names several providers, the person chooses one', async () => {
  const described = { issuer: provider.issuer, ...signIn, displayName: 'Login' }
  const send = async (request: Request) =>
    request.url.endsWith('/auth/providers')
      ? Response.json([
          { ...described, name: 'staff' },
          { ...described, name: 'partners' },
        ])
      : fetch(request)
  const several = { ...person, send }

  const open = await musterOn(several, 'login', address)
  const unknown = await musterOn(several, 'login', address, '--provider', 'guests')
  const chosen = await musterOn(several, 'login', address, '--provider', 'staff', '--flow', 'loopback', '--as', 'staff')

  expect([open.code, unknown.code, chosen.code]).toEqual([2, 2, 0])
  expect(open.err).toContain('Choose one with --provider:\n  staff  Login\n  partners  Login')
  expect(unknown.err).toContain('The service has no identity provider "guests" for this command.\n  staff')
})
