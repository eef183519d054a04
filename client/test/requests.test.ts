import { expect, onTestFinished, test, vi } from 'vitest'
import { createMusterClient, requestAccessToken } from '../src/index.ts'
import { address, clientOf, fakeService, pathOf } from './fake-service.ts'

const credentials = { clientId: 'program', clientSecret: 'secret' }
const tokenPath = '/api/auth/token'

/** A service that issues tokens and refuses all others. */
function tokenService() {
  let issued = 0
  const service = fakeService((request) => {
    if (pathOf(request) === tokenPath)
      return Response.json({ access_token: `token-${++issued}`, expires_in: 3_600, token_type: 'Bearer' })
    const isValid = request.headers.get('authorization') === `Bearer token-${issued}`
    return isValid ? Response.json({}) : Response.json({ code: 'Unauthorized' }, { status: 401 })
  })
  return { ...service, issuedTokens: () => issued }
}

const requestToken = (send: typeof fetch | ReturnType<typeof tokenService>['send']) => () =>
  requestAccessToken(address, credentials, { send })

test('calls that begin together share one access token', async () => {
  const { send, issuedTokens } = tokenService()
  const client = createMusterClient({ address, credentials, send })

  await Promise.all([client.GET('/api/service/whoami'), client.GET('/api/freeze'), client.GET('/api/tags')])

  expect(issuedTokens()).toBe(1)
})

test('an access token that the service refuses is replaced once, even if several calls begin together', async () => {
  const { send, issuedTokens } = tokenService()
  const first = { accessToken: 'no.longer.valid', expiresAt: Date.now() + 3_600_000 }
  const client = createMusterClient({ address, credentials: { first, request: requestToken(send) }, send })

  const calls = await Promise.all([1, 2, 3].map(() => client.GET('/api/service/whoami')))

  expect(calls.map(({ response }) => response.status)).toEqual([200, 200, 200])
  expect(issuedTokens()).toBe(1)
})

test('an access token is replaced before it expires', async () => {
  const { send, sent } = tokenService()
  const first = { accessToken: 'expires.soon', expiresAt: Date.now() + 20_000 }
  const client = createMusterClient({ address, credentials: { first, request: requestToken(send) }, send })

  await client.GET('/api/service/whoami')

  expect(sent.map(pathOf)).toEqual([tokenPath, '/api/service/whoami'])
})

test('the credentials are sent to the service only, whatever an answer says', async () => {
  const { client, sent } = clientOf(
    () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example.org/' } }),
    { credentials: { accessToken: 'token' } },
  )

  await expect(client.GET('/api/service/whoami')).rejects.toMatchObject({ code: 'UnexpectedRedirect' })
  await expect(client.send(new Request('https://elsewhere.example.org/api/tags'))).rejects.toMatchObject({
    code: 'ForeignAddress',
  })
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual([address])
})

test('an address without TLS is refused, unless it is on this computer or the caller accepts it', () => {
  const open = (url: string, insecure = false) => createMusterClient({ address: url, credentials, insecure })

  expect(() => open('http://muster.example.org')).toThrow('not encrypted')
  expect(() => open('ftp://muster.example.org', true)).toThrow('not encrypted')
  for (const url of ['http://localhost:8080', 'http://127.0.0.1:1', 'http://[::1]:1', address])
    expect(open(url).address).toBe(url)
  expect(open('http://muster.example.org', true).address).toBe('http://muster.example.org')
})

/** A list whose pages have these items; `nextOf` says which cursor follows a page. */
function listService(nextOf: (page: number) => string | undefined) {
  return clientOf((request) => {
    const page = Number(new URL(request.url).searchParams.get('cursor') ?? 0)
    const next = nextOf(page)
    const headers = next === undefined ? {} : { link: `</api/tags?cursor=${next}>; rel="next"` }
    return Response.json({ items: [{ id: page }], totalCount: 3 }, { headers })
  })
}

async function read(client: ReturnType<typeof clientOf>['client'], max = 100): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of client.pages('/api/computer')) if (ids.push(Number(id)) === max) break
  return ids
}

test('a list is read page by page, and not further than its items are used', async () => {
  const { client, sent } = listService((page) => (page < 2 ? String(page + 1) : undefined))

  expect(await read(client)).toEqual([0, 1, 2])
  expect(sent).toHaveLength(3)
  expect(await read(client, 1)).toEqual([0])
  expect(sent).toHaveLength(4)
})

test('a list whose pages do not end is a problem', async () => {
  const { client } = listService(() => '1')

  await expect(read(client)).rejects.toThrow('The pages of the list do not end.')
})

test('the message that ends a stream is not an event, and the next stream continues after the last event', async () => {
  const stop = new AbortController()
  const block = (id: number, type: string) =>
    `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type, data: {} })}\n\n`
  const text = block(7, 'muster.computer.created') + block(8, 'muster.stream.ended')
  const { client, sent } = clientOf((_request, attempt) => {
    if (attempt > 1) stop.abort()
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  })
  const received: string[] = []
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const following = (async () => {
    for await (const { type } of client.follow({ signal: stop.signal })) received.push(type)
  })()
  // A stream that ends at once is followed by the next one after a second.
  await vi.advanceTimersByTimeAsync(2_000)
  await following

  expect(new Set(received)).toEqual(new Set(['muster.computer.created']))
  expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '8'])
})
