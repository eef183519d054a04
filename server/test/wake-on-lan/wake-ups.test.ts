import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { reportHeartbeat } from '../../src/channels/depot/report-heartbeat.ts'
import { sendDueWakeUps, sendWakeUps, type WakeContext } from '../../src/features/wake-on-lan/jobs/send-wake-ups.ts'
import { assignWakeUpsToDepots, claimWakeUps } from '../../src/features/wake-on-lan/wake-ups.ts'
import { openActivity } from '../../src/platform/activity.ts'
import { startScheduler } from '../../src/jobs/scheduler.ts'
import { formatMacAddress } from '../../src/platform/mac-address.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { spawnDepot } from '../depot-server/depot-process.ts'
import { openDepotWorld } from '../depots/depot-world.ts'
import { magicPacketFor, openPacketReceiver } from './packet-receiver.ts'

const { app, db, depot, given } = await openDepotWorld()

type Columns = Parameters<typeof given.computer>[0]
type Addresses = { ip_address?: string; subnet_mask?: string; reported_ip_address?: string }

/** Puts the network in the place of the question mark. */
const inNetwork = (network: string, addresses: Addresses): Addresses =>
  Object.fromEntries(Object.entries(addresses).map(([name, text]) => [name, text.replace('?', network)]))

/** A computer with a wake-up request, by default for now. */
async function givenWakeUp(columns: Columns = {}, wakeAt = new Date()) {
  const mac = randomBytes(6).toString('hex')
  const computer = await given.computer({ mac, ...columns })
  const { id } = await db
    .insertInto('wake_requests')
    .values({ computer_id: computer.id, wake_at: wakeAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, mac, computer }
}

const requestOf = ({ id }: { id: number }) =>
  db
    .selectFrom('wake_requests')
    .select(['sent_at', 'attempts', 'depot_id', 'retry_at'])
    .where('id', '=', id)
    .executeTakeFirst()

async function givenService(settings: Partial<WakeContext['settings']> = {}) {
  const receiver = await openPacketReceiver()
  const context: WakeContext = {
    db,
    settings: { wakeAddress: '127.0.0.1', wakePort: receiver.port, ...settings },
    logger: pino({ level: 'silent' }),
  }
  const send = () => sendDueWakeUps(context)
  return { ...receiver, context, send }
}

/** A depot in a network of its own that has just sent a heartbeat. */
async function givenDepot(addresses: Addresses = { ip_address: '?.2', subnet_mask: '255.255.255.0' }) {
  const one = await depot()
  const network = `10.${randomBytes(2).join('.')}`
  await db.updateTable('computers').set(inNetwork(network, addresses)).where('id', '=', one.id).execute()
  const beat = async (sentWakeUps: number[] = []) =>
    (
      await one.itself.call(reportHeartbeat, {
        body: { version: '1', nextSyncUtc: '2026-03-01T00:00:00Z', url: 'http://depot:5057', sentWakeUps },
      })
    ).body.wakeUps
  await beat()
  return { ...one, network, beat }
}

describe('the service', () => {
  test('the service sends a magic packet at its time and not before', async () => {
    const { packets, send } = await givenService()
    const [due, later] = [await givenWakeUp(), await givenWakeUp({}, new Date(Date.now() + 60_000))]

    await send()
    await send()

    await until(() => packets.length > 0 || undefined)
    expect(packets).toEqual([magicPacketFor(due.mac)])
    expect(packets[0]).toHaveLength(102)
    expect(await requestOf(due)).toMatchObject({ sent_at: expect.any(Date), attempts: 1 })
    expect(await requestOf(later)).toMatchObject({ sent_at: null, attempts: 0 })
  })

  test('the scheduler sends wake-ups when they are due', async () => {
    const { packets, context } = await givenService()
    const activity = openActivity()
    const scheduler = startScheduler([sendWakeUps(context, activity)], context.logger, activity)
    const { mac } = await givenWakeUp({}, new Date(Date.now() + 200))
    activity.note()

    await until(() => packets.length > 0 || undefined)
    await scheduler.stop()

    expect(packets).toEqual([magicPacketFor(mac)])
  })

  test('the service rests until the next wake-up is due', async () => {
    const { send } = await givenService()
    const { id } = await givenWakeUp({}, new Date(Date.now() + 2_000))

    expect(await send()).toBeLessThanOrEqual(2_000)
    await db.deleteFrom('wake_requests').where('id', '=', id).execute()
  })

  test('the service sends to the network of the computer unless an address is configured', async () => {
    const { packets, send } = await givenService({ wakeAddress: undefined })
    // The broadcast address of this one is loopback.
    const { mac } = await givenWakeUp({ ip_address: '127.0.0.1', subnet_mask: '255.255.255.255' })

    await send()

    await until(() => packets.length > 0 || undefined)
    expect(packets).toEqual([magicPacketFor(mac)])
  })

  test('several nodes send each packet once, at most 200 per second', async () => {
    const { packets, send } = await givenService()
    const wakeUps = await Promise.all(Array.from({ length: 120 }, () => givenWakeUp()))
    const began = performance.now()

    await Promise.all([send(), send(), send()])

    const took = performance.now() - began
    await until(() => packets.length >= 120 || undefined)
    expect(packets.map((packet) => packet.toString('hex', 6, 12)).toSorted()).toEqual(
      wakeUps.map(({ mac }) => mac).toSorted(),
    )
    expect(took).toBeGreaterThan(195)
  })

  test('a wake-up that cannot be sent is abandoned after five attempts', async () => {
    const { packets, send } = await givenService()
    const request = await givenWakeUp({ mac: null, uuid: randomUUID() })
    const again = () =>
      db.updateTable('wake_requests').set({ retry_at: new Date() }).where('id', '=', request.id).execute()

    await send()
    const first = await requestOf(request)
    for (let attempt = 2; attempt <= 5; attempt++) {
      await again()
      await send()
    }

    expect(first).toMatchObject({ sent_at: null, attempts: 1, retry_at: expect.any(Date) })
    expect(await requestOf(request)).toBeUndefined()
    expect(packets).toEqual([])
  })

  test('a wake-up whose node died while sending is sent by another node when its claim has ended', async () => {
    const { packets, send } = await givenService()
    const request = await givenWakeUp()
    await assignWakeUpsToDepots(db)
    await claimWakeUps(db, 10)
    // The node that claimed it is gone.

    await send()
    const whileClaimed = packets.length
    await db.updateTable('wake_requests').set({ retry_at: new Date() }).where('id', '=', request.id).execute()
    await send()

    await until(() => packets.length > 0 || undefined)
    expect(whileClaimed).toBe(0)
    expect(packets).toEqual([magicPacketFor(request.mac)])
    expect(await requestOf(request)).toMatchObject({ sent_at: expect.any(Date), attempts: 2 })
  })

  test('sent wake-ups are deleted after thirty days', async () => {
    const { send } = await givenService()
    const [old, young] = [await givenWakeUp(), await givenWakeUp()]
    await send()
    const longAgo = new Date(Date.now() - 31 * 86_400_000)
    await db.updateTable('wake_requests').set({ sent_at: longAgo }).where('id', '=', old.id).execute()

    await givenWakeUp()
    await send()

    expect([await requestOf(old), await requestOf(young)]).toMatchObject([undefined, { attempts: 1 }])
  })
})

describe('a depot in the network of the computer', () => {
  test.each([
    ['by the mask of the computer', { ip_address: '?.2' }, { ip_address: '?.17', subnet_mask: '255.255.255.0' }],
    ['by the mask of the depot', { ip_address: '?.2', subnet_mask: '255.255.255.0' }, { reported_ip_address: '?.17' }],
    [
      'by the reported address of the depot',
      { reported_ip_address: '?.2' },
      { ip_address: '?.17', subnet_mask: '255.255.255.0' },
    ],
  ])(
    'a depot wakes computers of its network, which is known %s',
    async (_source, ofDepot: Addresses, ofComputer: Addresses) => {
      const { packets, send } = await givenService()
      const { id, network, beat } = await givenDepot(ofDepot)
      const wakeUp = await givenWakeUp(inNetwork(network, ofComputer))

      await send()
      const wakeUps = await beat()
      const rest = await beat([wakeUp.id])

      expect(packets).toEqual([])
      expect(wakeUps).toEqual([{ id: wakeUp.id, macAddress: formatMacAddress(wakeUp.mac), address: `${network}.255` }])
      expect(rest).toEqual([])
      expect(await requestOf(wakeUp)).toMatchObject({ sent_at: expect.any(Date), depot_id: id })
    },
  )

  test('a depot gets no wake-ups if it is in another network, silent, no longer a depot, or the computer itself', async () => {
    const { packets, send } = await givenService()
    const [elsewhere, silent, former, itself] = [
      await givenDepot(),
      await givenDepot(),
      await givenDepot(),
      await givenDepot(),
    ]
    const near = ({ network }: { network: string }, subnet_mask = '255.255.255.0') =>
      givenWakeUp({ ip_address: `${network}.130`, subnet_mask })
    await db
      .updateTable('depots')
      .set({ heartbeat_at: new Date(Date.now() - 301_000) })
      .where('computer_id', '=', silent.id)
      .execute()
    await db.updateTable('computers').set({ role: 'Client' }).where('id', '=', former.id).execute()
    const wakeUps = [
      await near(elsewhere, '255.255.255.128'),
      await near(silent),
      await near(former),
      await givenWakeUp({ reported_ip_address: 'no address' }),
    ]
    await db.insertInto('wake_requests').values({ computer_id: itself.id, wake_at: new Date() }).execute()

    await send()

    await until(() => packets.length === 5 || undefined)
    for (const wakeUp of wakeUps) expect(await requestOf(wakeUp)).toMatchObject({ depot_id: null, attempts: 1 })
  })

  test('the service sends a wake-up once if the depot does not confirm it within two minutes', async () => {
    const { packets, send } = await givenService()
    const { network, beat } = await givenDepot()
    const wakeUp = await givenWakeUp({ reported_ip_address: `${network}.17` })
    await send()
    const wakeUps = await beat()
    const { retry_at } = (await requestOf(wakeUp)) ?? {}
    await db.updateTable('wake_requests').set({ retry_at: new Date() }).where('id', '=', wakeUp.id).execute()

    await send()
    await send()
    const wakeUpsLater = await beat([wakeUp.id])

    await until(() => packets.length > 0 || undefined)
    expect(wakeUps).toHaveLength(1)
    expect(Number(retry_at) - Date.now()).toBeGreaterThan(110_000)
    expect(Number(retry_at) - Date.now()).toBeLessThan(121_000)
    expect(packets).toEqual([magicPacketFor(wakeUp.mac)])
    expect(wakeUpsLater).toEqual([])
    expect(await requestOf(wakeUp)).toMatchObject({ attempts: 1, depot_id: null })
  })

  test('a depot can confirm only its own wake-ups', async () => {
    const { send } = await givenService()
    const [one, other] = [await givenDepot(), await givenDepot()]
    const wakeUp = await givenWakeUp({ reported_ip_address: `${one.network}.17` })
    await send()

    await other.beat([wakeUp.id])

    expect(await requestOf(wakeUp)).toMatchObject({ sent_at: null, depot_id: one.id })
  })

  test('a depot process wakes computers', async () => {
    const { packets, port, send } = await givenService()
    const { id, credential, network } = await givenDepot()
    const master = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const wakeUps = await Promise.all(
      Array.from({ length: 30 }, () => givenWakeUp({ reported_ip_address: `${network}.17` })),
    )
    await send()
    const process = spawnDepot({
      MUSTER_DEPOT_MASTER: master,
      MUSTER_DEPOT_CREDENTIAL: credential,
      MUSTER_DEPOT_DIR: await temporaryFolder(),
      MUSTER_WAKE_ADDRESS: '127.0.0.1',
      MUSTER_WAKE_PORT: String(port),
      MUSTER_PORT: '0',
    })

    const url = await until(() => /listening on (\S+)/.exec(process.output())?.[1])
    const unsent = () =>
      db.selectFrom('wake_requests').select('id').where('depot_id', '=', id).where('sent_at', 'is', null).execute()
    await until(async () => (await unsent()).length === 0 || undefined)

    expect(packets.map((packet) => packet.toString('hex')).toSorted()).toEqual(
      wakeUps.map(({ mac }) => magicPacketFor(mac).toString('hex')).toSorted(),
    )
    const stored = db.selectFrom('depots').select('url').where('computer_id', '=', id)
    expect(await stored.executeTakeFirst()).toEqual({ url })
  })
})
