import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openEventHub } from '../../src/features/events/event-hub.ts'
import { openEventStream } from '../../src/features/events/open-event-stream.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { openWorld } from '../world/open-world.ts'
import { lastPosition, sequenceAll } from './read-log.ts'

const { app, as, db, database, given } = await openWorld()
await app.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.http.server.address() as AddressInfo

type Reader = { response: IncomingMessage; text(): string; ids(): string[]; until(text: string): Promise<void> }

type Options = { query?: string; lastEventId?: string; token?: string; port?: number }

const readerToken = await app.services.tokens.issue((await given.localPrincipal({ roles: ['computer.read'] })).id)
await sequenceAll(db)

async function read(options: Options = {}): Promise<Reader> {
  const { query = '', lastEventId, token = readerToken } = options
  const sent = request({
    port: options.port ?? port,
    path: `/api/events/stream${query}`,
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
  }).end()
  onTestFinished(() => void sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  response.on('error', () => {})
  return {
    response,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id = '']) => id),
    async until(wanted) {
      for (let wait = 0; !text.includes(wanted); wait++) {
        if (wait > 1_000) throw new Error(`Not received: ${wanted}. Received: ${text}`)
        await sleep(10)
      }
    },
  }
}

const ended = (reader: Reader) => (reader.response.readableEnded ? undefined : once(reader.response, 'end'))

test('a stream delivers new events that its filter and its roles select', async () => {
  const [all, work] = [await read(), await read({ query: '?types=muster.work.*' })]
  await all.until('stream of events')

  await given.group()
  const computer = await given.computer({ name: 'PC-STREAMED' })
  await sequenceAll(db)
  await all.until('PC-STREAMED')

  expect(all.response.headers['content-type']).toBe('text/event-stream')
  expect(all.text()).toContain(`event: muster.computer.created`)
  expect(all.text()).toContain(`"computerId":${computer.id}`)
  expect(all.text()).not.toContain('muster.group')
  expect(work.ids()).toEqual([])
})

test('a stream continues after Last-Event-ID without a gap or a repetition, whether the events are recent or not', async () => {
  const start = await lastPosition(db)
  for (let batch = 0; batch < 3; batch++) {
    await sql`insert into event_outbox (type, subject, data)
      select 'muster.computer.back', '/api/computer', '{"computers": 2}' from generate_series(1, 700)`.execute(db)
    await sequenceAll(db)
  }
  const first = await read({ lastEventId: start })
  for (let wait = 0; first.ids().length < 1_000 && wait < 500; wait++) await sleep(10)
  first.response.destroy()
  const stopped = first.ids().at(-1) ?? ''

  const second = await read({ lastEventId: stopped })
  await sql`insert into event_outbox (type, subject, data) values ('muster.computer.back', 'the last', '{}')`.execute(
    db,
  )
  await sequenceAll(db)
  await second.until('the last')

  const received = [...first.ids(), ...second.ids()].map(Number)
  expect(received).toEqual(Array.from({ length: 2_101 }, (_, at) => Number(start) + 1 + at))
})

test('a position that the log no longer has is refused before the stream begins', async () => {
  const { response } = await read({ lastEventId: '99999999999' })

  expect(response.statusCode).toBe(410)
})

test('a stream ends when its principal is revoked, at once', async () => {
  const { id } = await given.localPrincipal({ roles: ['computer.read'] })
  const [revoked, other] = [await read({ token: await app.services.tokens.issue(id) }), await read()]
  await Promise.all([revoked.until('stream'), other.until('stream')])

  await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true } })
  await sequenceAll(db)
  await ended(revoked)
  const [last = ''] = revoked.text().split('\n\n').slice(-2)
  await given.computer({ name: 'PC-AFTER' })
  await sequenceAll(db)
  await other.until('PC-AFTER')

  expect(revoked.text()).not.toContain('PC-AFTER')
  expect(last).toMatch(/^event: muster\.stream\.ended\ndata: \{/)
  expect(JSON.parse(last.split('data: ')[1] ?? '')).toMatchObject({
    type: 'muster.stream.ended',
    data: { reason: 'AccessEnded' },
  })
})

test('a stream ends when its token expires or its roles change, and says which', async () => {
  const short = await buildApp({ database, configuration: { ...app.services.configuration, tokenLifetimeSeconds: 2 } })
  onTestFinished(() => short.http.close())
  const [expiring, changing] = [
    await given.localPrincipal({ roles: ['computer.read'] }),
    await given.localPrincipal({ roles: ['computer.read'] }),
  ]
  const expired = await read({ token: await short.services.tokens.issue(expiring.id) })
  const changed = await read({ token: await app.services.tokens.issue(changing.id) })
  await Promise.all([expired.until('stream'), changed.until('stream')])

  await as('admin.manage').call(updateLocalPrincipal, {
    params: { id: changing.id },
    body: { description: null, expiresAtUtc: null, roles: ['computer.read', 'group.read'] },
  })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
  onTestFinished(() => void vi.useRealTimers())
  await given.computer({ name: 'PC-TOO-LATE' })
  await sequenceAll(db)
  await Promise.all([ended(expired), ended(changed)])

  expect(expired.text()).toContain('"reason":"TokenExpired"')
  expect(changed.text()).toContain('"reason":"RolesChanged"')
  expect(expired.text() + changed.text()).not.toContain('PC-TOO-LATE')
})

test('a stream whose right cannot be checked ends without what it would have sent', async () => {
  const { id } = await given.localPrincipal({ roles: ['computer.read'] })
  const reader = await read({ token: await app.services.tokens.issue(id) })
  await reader.until('stream')
  const find = vi.spyOn(app.services.principals, 'find').mockRejectedValue(new Error('no database'))
  onTestFinished(() => find.mockRestore())

  await given.computer({ name: 'PC-UNCHECKED' })
  await sequenceAll(db)
  await ended(reader)

  expect(reader.text()).not.toContain('PC-UNCHECKED')
})

test('a principal has a limited number of streams at once, and each that ends makes room for another', async () => {
  const { id } = await given.localPrincipal({ roles: ['computer.read'] })
  const token = await app.services.tokens.issue(id)
  const open = await read({ token })
  await open.until('stream')
  for (let streams = 1; streams < 100; streams++) await app.services.eventStreams.take(id)

  const refused = await read({ token })
  const other = await read()
  open.response.destroy()

  expect(refused.response.statusCode).toBe(429)
  expect(Number(refused.response.headers['retry-after'])).toBeGreaterThan(0)
  expect(other.response.statusCode).toBe(200)
  await expect.poll(async () => (await read({ token })).response.statusCode).toBe(200)
})

test('many readers share one statement for each batch of events', async () => {
  const readers = await Promise.all(Array.from({ length: 50 }, () => read()))
  await Promise.all(readers.map((reader) => reader.until('stream')))
  while (app.services.eventHub.followerCount() < 50) await sleep(10)
  const before = database.statementCount()

  await given.computer({ name: 'PC-SHARED' })
  await sequenceAll(db)
  await Promise.all(readers.map((reader) => reader.until('PC-SHARED')))

  // The change itself, finishing tasks, sequencing twice, one read for all, and the check of all readers in two batches.
  expect(database.statementCount() - before).toBeLessThanOrEqual(8)
})

test('a reader that does not read is cut, and others are not affected', async () => {
  const [slow, other] = [await read({ query: '?types=muster.computer.silent' }), await read()]
  await Promise.all([slow.until('stream'), other.until('stream')])
  slow.response.pause()
  const before = app.services.eventHub.followerCount()
  for (let batch = 0; batch < 12; batch++) {
    await sql`insert into event_outbox (type, subject, data)
      select 'muster.computer.silent', '/api/computer', jsonb_build_object('list', repeat('x', 2000))
      from generate_series(1, 500)`.execute(db)
    await sequenceAll(db)
    await sleep(20)
  }
  for (let wait = 0; app.services.eventHub.followerCount() === before && wait < 500; wait++) await sleep(10)

  expect(app.services.eventHub.followerCount()).toBe(before - 1)
  await given.computer({ name: 'PC-STILL' })
  await sequenceAll(db)
  await other.until('PC-STILL')
})

test('a reader that returns gets everything that it has missed, although it has no room for all of it', async () => {
  const after = Number(await lastPosition(db))
  await sql`insert into event_outbox (type, subject, data)
    select 'muster.computer.silent', '/api/computer', jsonb_build_object('list', repeat('x', 3000))
    from generate_series(1, 900)`.execute(db)
  await sequenceAll(db)
  const stream = openEventStream({
    ...{ hub: app.services.eventHub, db, after, types: new Set(['muster.computer.silent']), isNamed: true },
    ...{ installationId: 'test', computerId: undefined, maxSeconds: undefined, findEnd: async () => undefined },
  })
  onTestFinished(() => void stream.destroy())

  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.split('\nevent: ').length > 900) break
  }

  expect(text.split('\nevent: ')).toHaveLength(901)
})

test('heartbeats carry the position, so a reader with a narrow filter resumes near the end', async () => {
  const hub = openEventHub({ db, pool: database.lanes.background.pool, logger: console, beatSeconds: 0.05 })
  onTestFinished(() => hub.close())
  await hub.start()
  const position = Number(await lastPosition(db))

  const beat = await new Promise<number>((resolve) => {
    hub.follow({ after: position, deliver: () => {}, beat: resolve, end: () => {} })
  })

  expect(beat).toBe(position)
})

test('when a node stops, its streams end instead of delaying it', async () => {
  const node = await buildApp({ database, configuration: app.services.configuration })
  await node.http.listen({ host: '127.0.0.1', port: 0 })
  const reader = await read({ port: (node.http.server.address() as AddressInfo).port })
  await reader.until('stream')
  const start = performance.now()

  await Promise.all([node.http.close(), ended(reader)])

  expect(performance.now() - start).toBeLessThan(3_000)
})
