import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { operations as allOperations } from '../../src/features/index.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { type AnyOperation, eventStreamType } from '../../src/platform/operation.ts'
import { roleNames } from '../../src/platform/roles.ts'
import type { TSchema } from '../../src/platform/schema.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import {
  addressPart,
  boundlessJson,
  contentTypes,
  distortedJson,
  hostileBody,
  hostileHeaders,
  incompressibleText,
  malformedJson,
  queryString,
  unusualJson,
} from './hostile-values.ts'
import { openSocket, type RawAnswer, readAnswer, sendRaw } from './raw-http.ts'

const { app, given } = await openWorld()
await app.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.http.server.address() as AddressInfo
// With every role so that no operation is spared.
const { id: adminId } = await given.localPrincipal({ roles: roleNames })
const token = await app.services.tokens.issue(adminId)
// A stream does not end, and there is no answer to look at before.
const operations = allOperations.filter(({ answerType }) => answerType !== eventStreamType)
// There are many operations, and most of what hostile requests reach is the same for all of them: each operation gets other
// cases so that a few for each are many in total.
const boundsOf = (operation: AnyOperation) => ({
  seed: 20_260_314 + operations.indexOf(operation),
  numRuns: modelRuns(1),
})
const withBody = operations.filter(({ body }) => body)
// The parser and the check of unknown properties, which are the same for all operations, decide about texts that are no JSON,
// unusual or without bounds. So each operation gets one of each kind, in turn, and two operations get the deepest ones.
const [deep, lessDeep] = [boundlessJson(100_000), boundlessJson(1_000)]
const withDeepest = new Set(withBody.slice(0, 2))

function bodiesFor(operation: AnyOperation, example: unknown): Buffer[] {
  const text = JSON.stringify(example)
  const unreadable = [...malformedJson, ...distortedJson(text)]
  if (!operation.body) return inTurn([...unreadable, ...unusualJson(text)], operations.indexOf(operation), modelRuns(1))
  const place = withBody.indexOf(operation)
  const boundless = withDeepest.has(operation) ? deep : inTurn(lessDeep, place, modelRuns(1))
  return [...inTurn(unreadable, place, modelRuns(1)), ...inTurn(unusualJson(text), place, modelRuns(1)), ...boundless]
}

/** Enough of the items that neighbours in a list together get all of them. */
function inTurn<T>(items: readonly T[], place: number, count: number): T[] {
  return items.filter((_, at) => (at + items.length - ((place * count) % items.length)) % items.length < count)
}

test.each(operations)('$id answers any body with a success or a problem', async (operation) => {
  const example = operation.body ? exampleOf(operation.body) : { any: 'thing' }

  await forEach(bodiesFor(operation, example), async (body) => {
    expectSound(await send(operation, { body }), operation)
  })
  await fc.assert(
    fc.asyncProperty(
      hostileBody(example),
      fc.oneof({ weight: 6, arbitrary: fc.constant('application/json') }, fc.constantFrom(...contentTypes)),
      async (body, contentType) => {
        expectSound(await send(operation, { body, contentType }), operation)
      },
    ),
    boundsOf(operation),
  )
})

test.each(withBody)('$id accepts texts of the maximum length that it declares', async (operation) => {
  const maximalTexts = Object.entries<TSchema>(operation.body.properties ?? {}).flatMap(([name, { maxLength }]) =>
    maxLength ? [[name, incompressibleText(maxLength, maxLength)]] : [],
  )

  const answer = await send(operation, {
    body: Buffer.from(JSON.stringify({ ...Object(exampleOf(operation.body)), ...Object.fromEntries(maximalTexts) })),
  })

  expectSound(answer, operation)
})

test.each(operations)('$id answers any URL with a success or a problem', async (operation) => {
  const names = Object.keys(operation.query.properties)

  await fc.assert(
    fc.asyncProperty(addressPart, queryString(names), fc.boolean(), async (part, query, isInPath) => {
      const path = isInPath ? operation.path.replace(/:\w+|[^/]+$/, () => part) : await addressOf(operation)
      const answer = await sendRaw(port, requestBytes(operation.method, `${path}?${query}`, []))
      expectSound(answer, operation)
    }),
    boundsOf(operation),
  )
})

test.each(operations)('$id answers any headers with a success or a problem', async (operation) => {
  const path = await addressOf(operation)

  await fc.assert(
    fc.asyncProperty(hostileHeaders, fc.boolean(), async (headers, hasBody) => {
      const body = hasBody ? JSON.stringify(operation.body ? exampleOf(operation.body) : {}) : ''
      expectSound(await sendRaw(port, requestBytes(operation.method, path, headers, body)), operation)
    }),
    boundsOf(operation),
  )
})

test.each(operations)('$id answers unsupported methods with a problem', async (operation) => {
  const path = await addressOf(operation)

  // Only the parser sees most of them, and it is the same for all operations.
  const others = ['TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'QUERY', 'FLY', 'get', 'GE T', '\0', '']
  const methods = ['HEAD', ...inTurn(others, operations.indexOf(operation), modelRuns(1))]
  await forEach(methods, async (method) => {
    expectSound(await sendRaw(port, requestBytes(method, path, [['Connection', 'close']])), operation)
  })
})

test('bytes that are not an HTTP request are answered with a problem, and the next client is served', async () => {
  const hostile = [
    '\0\0\0\0',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /health HTTP/1.1\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a\r\nExpect: the worst\r\n\r\n',
    'GET /health HTTP/1.1\r\nHost: a\r\nX: a\r\n folded\r\n\r\n',
    'GET //health HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://[::1/health HTTP/1.1\r\nHost: a\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
    'POST /api/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    'POST /api/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'POST /api/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello',
    'POST /api/auth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello',
    'POST /api/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
  ]

  for (const bytes of hostile) {
    expectSound(await sendRaw(port, bytes))
  }

  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
})

test('an answer to HEAD has no body, even if the request is refused before it is read', async () => {
  const answers = [
    await sendRaw(port, `HEAD /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    await sendRaw(port, 'HEAD /health HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'),
    await sendRaw(port, 'HEAD /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  ]

  expect(answers.map((answer) => [answer?.status, answer?.body])).toEqual([
    [431, ''],
    [400, ''],
    [404, ''],
  ])
})

test('a request that arrives byte by byte is answered, and clients that never finish theirs delay nobody', async () => {
  const head = requestBytes('POST', '/api/admin/local-principals', [], '0123456789')
  const stalled = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const socket = await openSocket(port)
      socket.write(head.subarray(0, index % 2 === 0 ? head.length - 5 : index / 2))
      return socket
    }),
  )
  const slow = await openSocket(port)
  const answered = readAnswer(slow)
  for (const byte of requestBytes('GET', '/api/service/whoami', [])) slow.write(Uint8Array.of(byte))

  const others = await Promise.all(
    Array.from({ length: 20 }, () => sendRaw(port, requestBytes('GET', '/api/admin/roles', []))),
  )

  expect(new Set(others.map((answer) => answer?.status))).toEqual(new Set([200]))
  expect((await answered)?.status).toBe(200)
  for (const socket of [...stalled, slow]) socket.destroy()
})

test('a body over the limit is refused before it is received', async () => {
  const socket = await openSocket(port)
  const answered = readAnswer(socket)

  socket.write(requestBytes('POST', '/api/admin/principals', [['Content-Length', String(2 ** 40)]]))

  expect(await answered).toMatchObject({ status: 413 })
  socket.destroy()
})

// After all of the above: also what a client no longer waited for has left its mark here.
afterAll(async () => {
  const metrics = await app.services.metrics.render()
  expect(metrics.split('\n').filter((line) => /_count\{.*status="5/.test(line))).toEqual([])
})

let lastNumber = 0

/** An address with an object of its own where principals are meant so that nobody's token is deleted. */
async function addressOf({ path }: AnyOperation): Promise<string> {
  const id = async () => {
    if (path.startsWith('/api/admin/local-principals')) return (await given.localPrincipal()).id
    if (path.startsWith('/api/admin/principals')) return (await given.identityPrincipal()).id
    return ++lastNumber
  }
  return path.includes(':') ? path.replace(/:\w+/g, String(await id())) : path
}

/** A few at a time, as clients do not wait for each other. */
async function forEach<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const client = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

async function send(
  operation: AnyOperation,
  { body, contentType = 'application/json' }: { body: Buffer; contentType?: string },
): Promise<RawAnswer> {
  const began = performance.now()
  const { statusCode, headers, payload } = await app.http.inject({
    method: operation.method,
    url: await addressOf(operation),
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType, 'idempotency-key': crypto.randomUUID() },
    payload: body,
  })
  // Far more than a busy machine needs, and far less than work that grows with the square of a body.
  expect(performance.now() - began).toBeLessThan(30_000)
  return { status: statusCode, headers: headers as Record<string, string>, body: payload }
}

function requestBytes(method: string, path: string, headers: [string, string][], body = ''): Buffer {
  const named = new Set(headers.map(([name]) => name))
  const defaults: [string, string][] = [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))] satisfies [string, string]]),
  ]
  const lines = [...defaults.filter(([name]) => !named.has(name)), ...headers].map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'), 'latin1')
}

/** A success, or an error of the client in the format of RFC 9457, or of RFC 6749 for tokens. */
function expectSound(answer: RawAnswer | undefined, operation?: AnyOperation): void {
  expect(answer, 'the connection was closed without an answer').toBeDefined()
  const { status = 0, headers = {}, body = '' } = answer ?? {}
  expect(status, body).toBeLessThan(500)
  if (status < 400 || body === '') return
  const problem: Record<string, unknown> = JSON.parse(body)
  if (operation?.id === 'requestToken' && problem.error) {
    expect(problem).toEqual({ error: expect.any(String), error_description: expect.any(String) })
    return
  }
  expect(headers['content-type']).toMatch(/^application\/problem\+json\b/)
  expect(problem).toMatchObject({ status, code: expect.stringMatching(/^\w+$/), message: expect.any(String) })
  expect(body.length).toBeLessThan(100_000)
}
