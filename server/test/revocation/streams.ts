import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import { exportFleetComputers } from '../../src/features/fleet/api/export-fleet-computers.ts'
import type { FleetReads } from '../../src/platform/load/fleet-reads.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { lastPosition, sequenceAll } from '../events/read-log.ts'
import { browser } from '../web/browser.ts'
import { bearer, type Opened, type RevocationWorld, readToEnd } from './revocation-world.ts'

const reader = { roles: ['computer.read', 'group.read'], lost: 'computer.read' } as const
const beatMs = 15_000

/** Answers that are sent as they are read, and lists that are read page by page. */
export function streams(world: RevocationWorld) {
  const { app, connect, db, given, node, openedBy } = world

  async function openStream(headers: Record<string, string>, query = '') {
    const { sent, response } = connect({ path: `/api/events/stream${query}`, headers })
    sent.end()
    const stream = await response()
    const received = { text: '' }
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      received.text += chunk
    })
    await until(() => (received.text.includes('stream of events') ? true : undefined))
    return { stream, received }
  }

  type OpenStream = Awaited<ReturnType<typeof openStream>>

  /** Waits until the stream has a text or is closed, and returns whether it has the text. */
  async function receives({ stream, received }: OpenStream, text: string): Promise<boolean> {
    await until(() => received.text.includes(text) || stream.closed)
    return received.text.includes(text)
  }

  async function receivesNextEvent(opened: OpenStream): Promise<boolean> {
    const name = `PC-${randomBytes(4).toString('hex')}`
    await given.computer({ name })
    await sequenceAll(db)
    return receives(opened, name)
  }

  const isFollowed = (count: number) =>
    until(() => (node.services.eventHub.followerCount() === count ? true : undefined))

  async function openFollowing(headers: Record<string, string>): Promise<OpenStream> {
    await sequenceAll(db)
    const { eventHub } = node.services
    const before = eventHub.followerCount()
    const opened = await openStream(headers)
    await isFollowed(before + 1)
    return opened
  }

  // More bytes than the buffers of the connection take, but pages below what a stream may keep for a slow reader.
  const pastEvents = { first: '', total: 9_000, bytes: 1_400 }
  async function writePastEvents(): Promise<void> {
    if (pastEvents.first) return
    pastEvents.first = await lastPosition(db)
    await sql`insert into event_outbox (type, subject, data)
      select 'muster.computer.back', '/api/computer', jsonb_build_object('list', repeat('x', ${pastEvents.bytes}::integer))
      from generate_series(1, ${pastEvents.total}::integer)`.execute(db)
    // After this many others, the service no longer has them in memory.
    await sql`insert into event_outbox (type, subject, data)
      select 'muster.computer.silent', '/api/computer', '{}' from generate_series(1, 1000)`.execute(db)
    await sequenceAll(db)
  }

  let exported: Promise<unknown> | undefined

  return {
    eventStream: () =>
      openedBy(reader, async (opener) => {
        const opened = await openFollowing(bearer(opener))
        return () => receivesNextEvent(opened)
      }),

    quietStream: () =>
      openedBy(reader, async (opener) => {
        const opened = await openFollowing(bearer(opener))
        return async () => {
          vi.advanceTimersByTime(beatMs)
          return receives(opened, 'heartbeat')
        }
      }),

    pastEvents: () =>
      openedBy(reader, async (opener) => {
        await writePastEvents()
        const query = `?types=muster.computer.back&after=${pastEvents.first}`
        const { sent, response } = connect({ path: `/api/events/stream${query}`, headers: bearer(opener) })
        sent.end()
        const stream = await response()
        return async () => (await countEvents(stream, pastEvents.total)) === pastEvents.total
      }),

    sessionStream: () =>
      openedBy(reader, async (opener) => {
        const visitor = browser(app)
        await visitor.signIn(opener)
        const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const opened = await openFollowing({ cookie, 'sec-fetch-site': 'same-origin' })
        return () => receivesNextEvent(opened)
      }),

    polling: () =>
      openedBy({ roles: ['computer.read'], lost: 'computer.read' }, async (opener) => {
        const query = { types: 'muster.computer.back', limit: 1 }
        const first = await opener.call(listEvents, { query })
        return async () =>
          (await opener.call(listEvents, { query: { ...query, after: first.body.nextAfter } })).status === 200
      }),

    csvExport: () =>
      openedBy(reader, async (opener) => {
        exported ??= writeExported(db)
        await exported
        return openExport(world, opener)
      }),
  } satisfies Record<string, () => Promise<Opened>>
}

/** Reads until all events have come or the stream is closed. */
async function countEvents(stream: IncomingMessage, total: number): Promise<number> {
  let count = 0
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    count += blocks.filter((block) => block.includes('\nevent: muster.computer.back\n')).length
  })
  await until(() => (count >= total || stream.closed ? true : undefined), 30_000)
  return count
}

/** Computers that take more than one page of an export. */
async function writeExported(db: RevocationWorld['db']): Promise<void> {
  await sql`insert into computers (name, domain, is_domain, mac_address)
    select 'EXPORTED-' || number, 'export.example.org', true, '02:00:00:00:' || to_char(number, 'FM00:00')
    from generate_series(1, 1500) as number`.execute(db)
}

/** An export whose second page is read only when the test checks that it continues. */
async function openExport({ connect, node }: RevocationWorld, opener: { token: string }) {
  const { fleetReads } = node.services
  const second = Promise.withResolvers<void>()
  let reads = 0
  const run: FleetReads['run'] = async (read) => {
    reads++
    if (reads > 1) await second.promise
    return read()
  }
  const spy = vi.spyOn(fleetReads, 'run').mockImplementation(run)
  const { sent, response } = connect({
    path: `${exportFleetComputers.path}?search=EXPORTED-`,
    headers: bearer(opener),
  })
  sent.end()
  const answer = await response()
  const bytes = readToEnd(answer)
  await until(() => (reads > 1 ? true : undefined))
  return async () => {
    second.resolve()
    const isComplete = (await bytes) > 0 && answer.complete
    spy.mockRestore()
    return isComplete
  }
}
