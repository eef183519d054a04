import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { jsonWebToken, startFakeProvider } from './fake-provider.ts'
import { sendJson, startFakeService } from './fake-service.ts'
import { deceptive, hostileText } from './hostile-answers.ts'
import { openSandbox } from './sandbox.ts'

const audience = 'https://muster.example.org/api'
const { provider, answers, reset } = await startFakeProvider(audience)
const elsewhere = await startFakeService((_, response) => sendJson(response, {}))

const announced = {
  ...{ name: 'corporate', displayName: 'Login', issuer: provider.address, clientId: 'muster-cli', audience },
  ...{ scopes: ['openid', 'api'], parameters: { resource: audience } as Record<string, string> },
}
let providers: unknown[] = []

const service = await startFakeService(({ url = '' }, response) => {
  if (url.endsWith('/auth/providers')) return sendJson(response, providers)
  if (url === '/api/service/whoami') return sendJson(response, { name: 'Ada', roles: [] })
  sendJson(response, { items: [], totalCount: 0 })
})
const { root, muster } = await openSandbox(service.address)
const settings = join(root, 'person')
const environment = { XDG_CONFIG_HOME: settings }
const login = ['login', service.address, '--flow', 'device']
const signIn = (...options: string[]) =>
  muster([...login, ...options], { environment, signal: AbortSignal.timeout(8_000) })
/** The same in a script. */
const signInAlone = (...options: string[]) => muster([...login, ...options], { environment, ask: undefined })
const stored = async () => JSON.parse(await readFile(join(settings, 'muster/credentials.json'), 'utf8'))
const tokensReceived = () => service.received.filter(({ text }) => text.includes('"authorization"'))

beforeEach(async () => {
  await rm(settings, { recursive: true, force: true })
  providers = [announced]
  service.received = []
  elsewhere.received = []
  reset()
})
afterEach(() => {
  vi.useRealTimers()
  expect(elsewhere.received).toEqual([])
})

test('the first sign-in shows issuer, client, audience and scopes, and asks; later ones do not', async () => {
  const first = await signIn()
  const again = await signIn()

  expect([first.code, again.code]).toEqual([0, 0])
  expect(first.err).toContain(
    `Issuer    ${provider.address}\n  Client    muster-cli\n  Audience  ${audience}\n  Scopes    openid api\n`,
  )
  expect(first.err).toContain('Type yes to continue')
  expect(again.err).not.toContain('Issuer')
})

test('without consent, nothing is requested from the provider', async () => {
  const refused = await muster(login, { environment, ask: async () => '' })

  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Not signed in.')])
  expect(provider.received).toEqual([])
})

test.each([
  ['client', { clientId: 'azure-cli' }],
  ['audience', { audience: 'https://graph.example.org', parameters: { resource: 'https://graph.example.org' } }],
  ['scopes', { scopes: ['openid', 'https://graph.example.org/Mail.Read'] }],
  ['parameters', { parameters: { resource: audience, claims: '{}' } }],
])('another %s than before needs another confirmation', async (_, changed) => {
  await signIn()
  providers = [{ ...announced, ...changed }]
  provider.received = []

  const alone = await signInAlone()
  const refused = await muster(login, { environment, ask: async () => 'no' })

  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('has changed. Until now:')])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('has changed. Until now:')])
  expect(provider.received).toEqual([])
})

test('an issuer with letters that look like others is shown in its encoded form, too', async () => {
  providers = [{ ...announced, issuer: 'https://l\u043egin.example.org' }]

  const { err } = await muster(login, { environment, ask: async () => 'no' })

  expect(err).toContain('Issuer    https://l\u043egin.example.org\n  Host      xn--lgin-55d.example.org\n')
})

const named = () => ['--issuer', provider.address, '--client-id', 'muster-cli']

test('audience and scopes of the service are confirmed, although the arguments name issuer and client', async () => {
  providers = [{ ...announced, scopes: ['openid', 'https://graph.example.org/Mail.Read'] }]

  const alone = await signInAlone(...named())
  const refused = await muster([...login, ...named()], { environment, ask: async () => 'no' })

  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('Mail.Read')])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Mail.Read')])
  expect(provider.received).toEqual([])
})

test('a service that announces nothing about a named provider does not avoid the question', async () => {
  providers = []

  const alone = await signInAlone(...named())

  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('Nobody can confirm that here.')])
  expect(provider.received).toEqual([])
})

test('where nobody can answer, all is named or was confirmed before', async () => {
  const unnamed = await signInAlone()
  const explicit = await signInAlone(...named(), '--audience', audience, '--scope', 'openid mine')
  const requested = provider.received.find(({ path }) => path === '/device')?.text
  await signIn()
  const remembered = await signInAlone(...named())

  expect([unnamed.code, unnamed.err]).toEqual([
    2,
    expect.stringContaining('--issuer, --client-id, --audience and --scope'),
  ])
  expect([explicit.code, remembered.code]).toEqual([0, 0])
  expect(requested).toContain('scope=openid+mine')
})

test('a token of any audience is sent only after a person has agreed to that', async () => {
  const withoutAudience = [...named(), '--scope', 'openid mine']

  const alone = await signInAlone(...withoutAudience)
  const asked = provider.received.map(({ path }) => path)
  const agreed = await signIn(...withoutAudience)

  expect([alone.code, alone.err]).toEqual([2, expect.stringMatching(/Audience +unknown/)])
  expect(asked).toEqual([])
  expect([agreed.code, agreed.err]).toEqual([0, expect.stringMatching(/Audience +unknown/)])
})

test.each([
  ['another audience', { access_token: jsonWebToken({ aud: 'https://graph.example.org' }) }],
  ['several others', { access_token: jsonWebToken({ aud: ['a', 'b'] }) }],
  ['no audience', { access_token: jsonWebToken({}) }],
  ['nothing readable', { access_token: 'opaque' }],
  ['a line break', { access_token: 'a\r\nb' }],
])('a token for %s is not sent to the service', async (_, token) => {
  answers.token = token

  const { code, err } = await signIn()

  expect([code, err]).toEqual([1, expect.stringContaining('The identity provider issued a')])
  expect(tokensReceived()).toEqual([])
  await expect(stored()).rejects.toThrow('ENOENT')
})

test('a token for another audience is refused when it is renewed, too', async () => {
  await signIn()
  service.received = []
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  answers.token = { access_token: jsonWebToken({ aud: 'https://graph.example.org' }) }

  const { code, err } = await muster(['computers'], { environment })

  expect([code, err]).toEqual([1, expect.stringContaining(`not for ${audience}`)])
  expect(tokensReceived()).toEqual([])
})

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://phishing.example.org/',
  '--version',
  'smb://host/share',
  '',
])('a page of the provider that is %j is not opened', async (page) => {
  answers.device = { verification_uri_complete: page || 'data:text/html,x' }
  const complete = await signIn()
  answers.device = { verification_uri: page || 'data:text/html,x' }
  const plain = await signIn()

  for (const { code, opened } of [complete, plain]) expect([code, opened]).toEqual([1, []])
})

test('texts of the provider are shown, and not obeyed', async () => {
  answers.device = { user_code: hostileText, verification_uri: `${provider.address}/${hostileText}` }
  const shown = await signIn()
  answers.token = { error: hostileText, error_description: hostileText, access_token: undefined }
  const refused = await signIn()
  providers = [{ ...announced, displayName: hostileText, name: hostileText, clientId: hostileText }, announced]
  const several = await signIn()

  expect(shown.err).toContain('\\u202egnp.exe')
  for (const { err, out } of [shown, refused, several]) expect(err + out).not.toMatch(deceptive)
})

test.each([
  ['a token endpoint without TLS', { token_endpoint: 'http://login.example.org/token' }],
  ['an authorization endpoint that is a file', { authorization_endpoint: 'file:///etc/passwd' }],
  ['a device endpoint without TLS', { device_authorization_endpoint: 'http://192.0.2.1/device' }],
  ['another issuer', { issuer: 'https://login.example.org' }],
  ['endpoints of wrong types', { token_endpoint: { href: 'x' } }],
])('a provider with %s is not used', async (_, metadata) => {
  answers.metadata = metadata

  const { code, err, opened } = await signIn()

  expect([code, err]).toEqual([1, expect.stringContaining('cannot be used')])
  expect(opened).toEqual([])
  expect(provider.received.filter(({ path }) => !path.startsWith('/.well-known/'))).toEqual([])
})

test.each([
  ['without TLS', { issuer: 'http://login.example.org' }],
  ['that is a file', { issuer: 'file:///etc/passwd' }],
  ['that is not an address', { issuer: hostileText }],
  ['that is not a text', { issuer: 7 }],
  ['whose address begins with the name of another', { issuer: 'https://login.example.org@evil.example' }],
  ['without scopes', { scopes: undefined }],
  ['whose answer would go elsewhere', { parameters: { redirect_uri: elsewhere.address } }],
  ['whose request comes from elsewhere', { parameters: { Request_URI: elsewhere.address } }],
  ['with a secret of others', { parameters: { refresh_token: 'x' } }],
  ['without an audience', { audience: undefined, parameters: {} }],
])('an identity provider %s is refused', async (_, changed) => {
  providers = [{ ...announced, ...changed }]

  const { code, err } = await signIn()

  expect(code).toBe(1)
  expect(err).not.toMatch(/\n {4}at /)
  expect(err).not.toMatch(deceptive)
  expect(provider.received).toEqual([])
})

test('a service elsewhere cannot name a provider on this computer', async () => {
  const remote = 'https://muster.example.org'
  const send = (request: Request) => fetch(new Request(request.url.replace(remote, service.address), request))

  const { code, err } = await muster(['login', remote], { environment, send })

  expect([code, err]).toEqual([1, expect.stringContaining('is not an address of a provider that others can reach')])
  expect(provider.received).toEqual([])
})

test('a pause of next to nothing is a second', async () => {
  answers.device = { interval: 0.001 }
  answers.pending = 1_000_000

  await muster(login, { environment, signal: AbortSignal.timeout(1_500) })

  expect(provider.received.filter(({ path }) => path === '/token').length).toBeLessThanOrEqual(2)
})

test('a code that has expired is not waited for', async () => {
  answers.device = { expires_in: 1, interval: 1 }
  answers.pending = 1_000_000

  const { code, err } = await signIn()

  expect(code).toBe(1)
  expect(err).not.toContain('Interrupted.')
})

test('a refresh token is sent to the issuer of the sign-in only, whatever the service names now', async () => {
  await signIn()
  provider.received = []
  providers = [{ ...announced, issuer: elsewhere.address }]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })

  const { code } = await muster(['computers'], { environment })

  expect(code).toBe(0)
  expect(provider.received.filter(({ text }) => text.includes('refresh_token=r1')).map(({ path }) => path)).toEqual([
    '/token',
  ])
})

test('a redirect of the provider is not followed with a code or a refresh token', async () => {
  await signIn()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const honest = provider.behaviour
  provider.behaviour = (request, response, body) =>
    request.url === '/token'
      ? void response.writeHead(307, { location: `${elsewhere.address}/token` }).end()
      : honest(request, response, body)

  const { code } = await muster(['computers'], { environment })
  provider.behaviour = honest

  expect(code).toBe(1)
})
