import { createMusterClient, isProblem, type Send } from '@muster/client'
import { expect, test } from 'vitest'
import { listTags } from '../../server/src/features/tags/api/list-tags.ts'
import { openClientWorld } from './client-world.ts'

const { address, credentials, as } = await openClientWorld()

/** Sends requests, and counts them. `disturb` may replace the response of the first ones. */
function disturbed(disturb: (attempt: number, response: Response) => Response | undefined) {
  const sent: Request[] = []
  const send: Send = async (request) => {
    const copy = request.clone()
    const response = await fetch(request)
    if (new URL(copy.url).pathname === '/api/auth/token') return response
    sent.push(copy)
    const replaced = disturb(sent.length, response)
    if (replaced) return replaced
    throw new TypeError('fetch failed')
  }
  return { sent, send }
}

const busy = (headers: Record<string, string> = {}) =>
  Response.json({ code: 'DatabaseBusy', detail: 'Too much to do.' }, { status: 503, headers })

test('a change whose response is lost is repeated and takes effect once', async () => {
  const { sent, send } = disturbed((attempt, response) => (attempt === 1 ? undefined : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })

  const { data } = await client.POST('/api/tags', { body: { designation: 'Created once', description: null } })

  const { body } = await as('package.read').call(listTags)
  expect(sent).toHaveLength(2)
  expect(body.items.filter(({ designation }) => designation === 'Created once')).toMatchObject([{ id: data?.id }])
})

test('a change without a version or key, which may have been carried out, is not repeated', async () => {
  const { sent, send } = disturbed((_attempt, response) => (response.status === 200 ? undefined : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })

  const change = client.PUT('/api/freeze', { body: { frozen: false, reason: null } })

  await expect(change).rejects.toMatchObject({ status: 0, code: 'ServiceUnreachable' })
  expect(sent).toHaveLength(1)
})

test('a change with the version that it is based on is repeated while the service is busy', async () => {
  const { sent, send } = disturbed((attempt, response) => (attempt === 2 ? busy() : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })
  const { response } = await client.GET('/api/blast-radius')

  const header = { 'If-Match': response.headers.get('etag') ?? '' }
  const change = client.PUT('/api/blast-radius', { params: { header }, body: { apiQuota: 90, consoleQuota: 90 } })

  // The first attempt has been carried out, so the second one finds another version and overwrites nothing.
  await expect(change).rejects.toMatchObject({ code: 'PreconditionFailed' })
  expect(sent).toHaveLength(3)
})

test('a change that a limit has refused is repeated, although it has no key or version', async () => {
  const limited = () => Response.json({ code: 'TooManyRequests' }, { status: 429, headers: { 'retry-after': '1' } })
  const { sent, send } = disturbed((attempt, response) => (attempt === 1 ? limited() : response))
  const client = createMusterClient({ address, credentials, send })

  const { response } = await client.PUT('/api/freeze', { body: { frozen: false, reason: null } })

  expect([response.status, sent.length]).toEqual([200, 2])
})

test('a pause is at least as long as Retry-After asks for', async () => {
  const { send } = disturbed((attempt, response) => (attempt === 1 ? busy({ 'retry-after': '1' }) : response))
  const client = createMusterClient({ address, credentials, send, retry: { minPauseMs: 1 } })
  const start = performance.now()

  await client.GET('/api/service/whoami')

  expect(performance.now() - start).toBeGreaterThanOrEqual(999)
})

test('a pause that ends after the deadline is not made, and the problem is thrown', async () => {
  const { sent, send } = disturbed(() => busy({ 'retry-after': '600' }))
  const client = createMusterClient({ address, credentials, send, retry: { deadlineMs: 5_000 } })

  const error: unknown = await client.GET('/api/service/whoami').catch((thrown: unknown) => thrown)

  expect(isProblem(error, 'DatabaseBusy') && error.retryAfterSeconds).toBe(600)
  expect(sent).toHaveLength(1)
})

test('Retry-After may be a date, as proxies write it', async () => {
  const { sent, send } = disturbed(() => busy({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }))
  const client = createMusterClient({ address, credentials, send, retry: { deadlineMs: 5_000 } })

  const error: unknown = await client.GET('/api/service/whoami').catch((thrown: unknown) => thrown)

  expect(isProblem(error, 'DatabaseBusy') && error.retryAfterSeconds).toBeCloseTo(60, -1)
  expect(sent).toHaveLength(1)
})

test('a service that does not answer is a problem after the deadline', async () => {
  const client = createMusterClient({
    address,
    send: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    retry: { deadlineMs: 50 },
  })

  await expect(client.GET('/api/service/whoami')).rejects.toMatchObject({ code: 'ServiceUnreachable' })
})

test('the caller can interrupt a call while it waits for the next attempt', async () => {
  const interruption = new AbortController()
  const { send } = disturbed(() => {
    // The client waits by then, because it has this response.
    setTimeout(() => interruption.abort(new Error('Interrupted')), 50)
    return busy({ 'retry-after': '60' })
  })
  const client = createMusterClient({ address, credentials, send })

  const call = client.GET('/api/service/whoami', { signal: interruption.signal })

  await expect(call).rejects.toThrow('Interrupted')
})

test('the signal of a client interrupts all its calls, even while they wait for the next attempt', async () => {
  const interruption = new AbortController()
  const client = createMusterClient({
    address: 'http://127.0.0.1:1',
    send: async () => {
      setTimeout(() => interruption.abort(new Error('Enough')))
      return new Response(null, { status: 503, headers: { 'retry-after': '60' } })
    },
    signal: interruption.signal,
  })

  await expect(client.GET('/api/service/whoami')).rejects.toThrow('Enough')
})
