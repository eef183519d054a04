import { createMusterClient, isProblem, type MusterEvent, type Send } from '@muster/client'
import { expect, onTestFinished, test } from 'vitest'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { openClientWorld } from './client-world.ts'

const { address, credentials, db, given } = await openClientWorld()

/** Sends requests, and lists them. */
function recorded() {
  const paths: string[] = []
  const send: Send = (request) => {
    const { pathname, search } = new URL(request.url)
    paths.push(pathname + search)
    return fetch(request)
  }
  return { paths, send, count: (path: string) => paths.filter((one) => one.startsWith(path)).length }
}

const client = createMusterClient({ address, credentials })

test('a wrong secret is a problem with the code of RFC 6749', async () => {
  const other = createMusterClient({ address, credentials: { ...credentials, clientSecret: 'wrong' } })

  await expect(other.GET('/api/service/whoami')).rejects.toMatchObject({ status: 401, code: 'invalid_client' })
})

test('a problem has its code, its status, its fields and its further properties', async () => {
  const missing: unknown = await client
    .GET('/api/computer/{id}', { params: { path: { id: 999_999 } } })
    .catch((error: unknown) => error)
  const invalid: unknown = await client
    .POST('/api/tags', { body: { designation: '', colour: 'red' } as never })
    .catch((error: unknown) => error)

  expect(isProblem(missing, 'ComputerNotFound') && [missing.status, missing.message]).toEqual([
    404,
    'No computer has this id.',
  ])
  expect(isProblem(missing, 'GroupNotFound')).toBe(false)
  expect(isProblem(invalid, 'InvalidRequest') && invalid.errors.map(({ name }) => name)).toContain('colour')
  expect(isProblem(invalid) && invalid.requestId).toMatch(/[0-9a-f-]{36}/)
})

test('a list is read page by page, and not further than its items are used', async () => {
  for (const name of ['pc-1', 'pc-2', 'pc-3', 'pc-4']) await given.computer({ name })
  const { count, paths, send } = recorded()
  const other = createMusterClient({ address, credentials, send })
  const list = () => other.pages('/api/computer', { query: { top: 2 } })

  const names: string[] = []
  for await (const { hostname } of list()) names.push(hostname)
  expect(names).toEqual(['pc-1', 'pc-2', 'pc-3', 'pc-4'])
  expect(count('/api/computer')).toBe(2)
  expect(paths.at(-1)).toContain('cursor=')

  for await (const { hostname } of list()) if (hostname === 'pc-1') break
  expect(count('/api/computer')).toBe(3)
})

/** Creates a computer, whose event is in the log when it returns. */
async function created(name: string): Promise<void> {
  await given.computer({ name })
  await sequenceAll(db)
}

test('a stream of events that ends goes on after the last event, without a gap or a repetition', async () => {
  await sequenceAll(db)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  let streams = 0
  const other = createMusterClient({
    address,
    credentials,
    // The first stream ends after a second. Something happens before the next one begins.
    send: async (request) => {
      if (!request.url.includes('/stream')) return fetch(request)
      if (++streams === 1) return fetch(new Request(`${request.url}&seconds=1`, request))
      if (streams === 2) await created('pc-between')
      return fetch(request)
    },
  })
  const opened = Promise.withResolvers<void>()
  const received: MusterEvent[] = []
  const following = (async () => {
    const options = { types: ['muster.computer.created'], signal: stop.signal, onOpen: opened.resolve }
    for await (const event of other.follow(options)) if (received.push(event) === 4) break
  })()
  await opened.promise

  await created('pc-first')
  await expect.poll(() => [received.length, streams], { timeout: 5_000 }).toEqual([2, 2])
  await created('pc-second')
  await created('pc-third')
  await following

  const names = received.map(({ data }) => data.computerName)
  expect(names).toEqual(['pc-first', 'pc-between', 'pc-second', 'pc-third'])
})
