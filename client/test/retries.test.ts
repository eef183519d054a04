import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isProblem } from '../src/index.ts'
import { type Answer, clientOf } from './fake-service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const busy = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'DatabaseBusy', detail: 'Too much to do.' }, { status: 503, headers })

const limited = () => Response.json({ code: 'TooManyRequests' }, { status: 429, headers: { 'retry-after': '1' } })

/** The first request gets this answer, all others a good one. */
const firstGets =
  (first: Response | undefined): Answer =>
  (_request, attempt) =>
    attempt === 1 ? first : Response.json({})

test('a read is repeated when its connection breaks or the service is busy', async () => {
  for (const first of [undefined, busy()]) {
    const { client, sent } = clientOf(firstGets(first))

    const call = client.GET('/api/service/whoami')
    await vi.runAllTimersAsync()

    expect((await call).response.status).toBe(200)
    expect(sent).toHaveLength(2)
  }
})

test('a POST is repeated with the same idempotency key', async () => {
  const { client, sent } = clientOf(firstGets(undefined))

  const call = client.POST('/api/tags', { body: { designation: 'Created once', description: null } })
  await vi.runAllTimersAsync()
  await call

  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/\S/)
  expect(keys[1]).toBe(keys[0])
})

test('a change without a version or key, which may have been carried out, is not repeated', async () => {
  const { client, sent } = clientOf(() => undefined)

  const change = client.PUT('/api/freeze', { body: { frozen: false, reason: null } })

  await expect(change).rejects.toMatchObject({ status: 0, code: 'ServiceUnreachable' })
  expect(sent).toHaveLength(1)
})

test('a change that a limit has refused is repeated, although it has no key or version', async () => {
  const { client, sent } = clientOf(firstGets(limited()))

  const change = client.PUT('/api/freeze', { body: { frozen: false, reason: null } })
  await vi.runAllTimersAsync()

  expect((await change).response.status).toBe(200)
  expect(sent).toHaveLength(2)
})

test('a pause is at least as long as Retry-After asks for', async () => {
  const { client, sent } = clientOf(firstGets(busy({ 'retry-after': '40' })))

  const call = client.GET('/api/service/whoami')
  await vi.advanceTimersByTimeAsync(39_999)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_002)
  await call

  expect(sent).toHaveLength(2)
})

test.each([
  ['a number', '600'],
  ['a date, as proxies write it', () => new Date(Date.now() + 600_000).toUTCString()],
])(
  'a pause that ends after the deadline is not made if Retry-After is %s, and the problem is thrown',
  async (_form, text) => {
    const { client, sent } = clientOf(() => busy({ 'retry-after': typeof text === 'string' ? text : text() }))

    const error: unknown = await client.GET('/api/service/whoami').catch((thrown: unknown) => thrown)

    expect(isProblem(error, 'DatabaseBusy') && error.retryAfterSeconds).toBeCloseTo(600, -1)
    expect(sent).toHaveLength(1)
  },
)

test('a service that does not answer is a problem after the deadline', async () => {
  const { client } = clientOf(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )

  const call = expect(client.GET('/api/service/whoami')).rejects.toMatchObject({ code: 'ServiceUnreachable' })
  await vi.advanceTimersByTimeAsync(120_000)

  await call
})

test.each(['of the call', 'of the client'])(
  'the signal %s interrupts it while it waits for the next attempt',
  async (place) => {
    const interruption = new AbortController()
    const { signal } = interruption
    const ofClient = place === 'of the client'
    const { client, sent } = clientOf(() => busy({ 'retry-after': '60' }), ofClient ? { signal } : {})

    const call = client.GET('/api/service/whoami', ofClient ? {} : { signal })
    const interrupted = expect(call).rejects.toThrow('Enough')
    await vi.advanceTimersByTimeAsync(1_000)
    interruption.abort(new Error('Enough'))

    await interrupted
    expect(sent).toHaveLength(1)
  },
)
