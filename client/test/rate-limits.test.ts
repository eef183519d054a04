import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { secondsUntilFree } from '../src/rate-limits.ts'
import { type Answer, clientOf } from './fake-service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const answering =
  (status: number, ratelimit: string, code = 'Tagged'): Answer =>
  (_request, attempt) =>
    attempt === 1 ? Response.json({ code }, { status, headers: { ratelimit } }) : Response.json({})

test.each([
  ['"token";r=0;t=30', 30],
  ['"token";t=30;r=0', 30],
  ['"minute";r=5;t=9, "hour";r=0;t=900', 900],
  ['"token";r=0;pk=:c2VjcmV0:;t=7', 7],
  ['"token";r=0', 0],
  ['"token";r=1;t=30', undefined],
  ['"token";t=30', undefined],
  ['anything else', undefined],
  [`"token";r=0;t=1${' '.repeat(2_000)}`, undefined],
  [null, undefined],
])('the seconds until a request is allowed again are read from %j', (header, seconds) => {
  expect(secondsUntilFree(header)).toBe(seconds)
})

test('after the last request that a limit allows, the next one to the same path waits, and others do not', async () => {
  const { client, sent } = clientOf(answering(200, '"token";r=0;t=30'))
  await client.GET('/api/service/whoami')

  const next = client.GET('/api/service/whoami')
  const other = client.GET('/api/tags')
  await vi.advanceTimersByTimeAsync(29_000)
  expect((await other).response.status).toBe(200)
  expect(sent).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_001)
  await next

  expect(sent).toHaveLength(3)
})

test('a refused request without Retry-After is repeated when the limit allows it', async () => {
  const { client, sent } = clientOf(answering(429, '"token";r=0;t=20', 'TooManyRequests'))

  const call = client.GET('/api/service/whoami')
  await vi.advanceTimersByTimeAsync(19_000)
  expect(sent).toHaveLength(1)
  await vi.runAllTimersAsync()

  expect((await call).response.status).toBe(200)
  expect(sent).toHaveLength(2)
})

test('a limit that ends after the deadline of the call does not delay it', async () => {
  const { client, sent } = clientOf(answering(200, '"token";r=0;t=999999999'))
  await client.GET('/api/service/whoami')

  await client.GET('/api/service/whoami')

  expect(sent).toHaveLength(2)
})
