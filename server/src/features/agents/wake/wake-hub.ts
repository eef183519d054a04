import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../../../database/connect.ts'
import { listenTo } from '../../../database/listen.ts'
import { listDeadPeers } from '../../../platform/http/dead-peers.ts'
import { HeldStream } from '../../../platform/http/held-stream.ts'
import { machineOf } from '../../../platform/load/networks.ts'
import type { Turns } from '../../../platform/load/turns.ts'
import type { WakeHub, WakeListener } from '../../../platform/wake-hub.ts'
import type { AgentCredential } from '../agent-credentials.ts'
import { openCallQueue } from './call-queue.ts'
import { purgePresence, recordSeen, registerNode, removeNodes, renewNode } from './presence.ts'
import { openPresenceWriter } from './presence-writer.ts'
import { openRefusals } from './refusals.ts'
import { claimCalls } from './wake-calls.ts'
import { openWakeConnections, randomBeats, type WakeConnection } from './wake-connections.ts'

export type WakeHubOptions = {
  db: Database
  /** Only its settings are used: the hub has a connection of its own for notifications. */
  pool: pg.Pool
  logger: { warn(message: string): void; error(details: object, message: string): void }
  turns: Pick<Turns, 'state'>
  maxConnections: number
  /** Whether an agent in quarantine still waits for a decision. */
  isQuarantined(credential: AgentCredential): Promise<boolean>
}

/** Agents in quarantine have proven nothing. */
const maxQuarantined = 500

/** Agents whose credential is refused try again after minutes, and a whole site may have one address. */
const maxRefusalsPerMinute = 600

const secondMs = 1_000
const renewSeconds = 15
/** Where notifications do not arrive, calls are looked for this often. */
const pollSeconds = 1
const quarantineSeconds = 2
/** With a heartbeat every 25 seconds, a silent network is noticed within a minute. */
const deadPeerSeconds = 20
const upkeepSeconds = 60

/** A call on a connection that ends within this time may not have been heard. */
const maxUnheardMs = 60_000

/**
 * The wake connections of this process. It does nothing while there are none. A process finds the calls of others by
 * notifications, or by looking for them where a pooler swallows notifications.
 */
export function openWakeHub(options: WakeHubOptions): WakeHub {
  const { db, pool, logger } = options
  let { maxConnections } = options
  const refusals = openRefusals(maxRefusalsPerMinute)
  const nodeId = randomUUID()
  const byComputer = new Map<number, WakeConnection>()
  const quarantined = new Map<string, WakeConnection>()
  let listening: { close(): Promise<void> } | undefined
  let ticks: NodeJS.Timeout | undefined
  let second = 0
  let isRegistered = false
  let lastNoticeAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  const connections = openWakeConnections(handleClosed)
  const presence = openPresenceWriter({
    db,
    nodeId,
    onRecorded: () => void readCalls(),
    onRefused: (connection) => endIfCurrent(connection),
    onError: (error) => logger.error({ err: error }, 'Wake connections could not be recorded.'),
  })
  const queue = openCallQueue({
    turns: options.turns,
    call(computerId) {
      const connection = byComputer.get(computerId)
      if (connection) connections.call(connection)
    },
    onEmpty: () => void readCalls(),
  })

  function handleClosed(connection: WakeConnection): void {
    if (connection.isQuarantined) {
      quarantined.delete(keyOf(connection))
      return
    }
    // Otherwise a newer connection has replaced it.
    if (byComputer.get(connection.computerId) !== connection) return
    byComputer.delete(connection.computerId)
    const isCallLost = queue.remove(connection.computerId) || performance.now() - connection.calledAt < maxUnheardMs
    if (!isClosed) presence.ended(connection.computerId, isCallLost)
  }

  function endIfCurrent(connection: WakeConnection): void {
    if (byComputer.get(connection.computerId) === connection) connections.end(connection)
  }

  const readCalls = oneAtATime(async () => {
    if (byComputer.size === 0 || isClosed) return
    const room = queue.room()
    if (room <= 0) return
    for (const { computerId, isEnd } of await claimCalls(db, nodeId, room)) {
      const connection = byComputer.get(computerId)
      if (!connection) continue
      if (isEnd) connections.end(connection)
      else queue.add(computerId)
    }
  }, logger)

  async function handleNotice(payload?: string): Promise<void> {
    if (payload === nodeId) lastNoticeAt = performance.now()
    // Others send themselves their ids.
    if (!payload) await readCalls()
  }

  const areNoticesArriving = () => performance.now() - lastNoticeAt < 2.5 * renewSeconds * secondMs

  async function renew(): Promise<void> {
    if (isRegistered && (await renewNode(db, nodeId))) return
    await registerNode(db, nodeId)
    isRegistered = true
    // Others may have taken this process for dead, and its connections for ended.
    for (const connection of byComputer.values()) presence.connected(connection)
  }

  async function keepUp(): Promise<void> {
    await removeNodes(db)
    await purgePresence(db)
    let hasMore = true
    while (hasMore && !isClosed) hasMore = await recordSeen(db, nodeId)
  }

  async function callDecided(): Promise<void> {
    for (const connection of quarantined.values()) {
      const { computerId: clientId, secretHash } = connection
      if (await options.isQuarantined({ clientId, secretHash })) continue
      connections.call(connection)
      connections.end(connection)
    }
  }

  const tick = oneAtATime(async () => {
    if (connections.count() === 0 || isClosed) return
    if (second % renewSeconds === 0) await renew()
    if (second % pollSeconds === 0 && !areNoticesArriving()) await readCalls()
    if (second % renewSeconds === 0) await readCalls()
    if (second % deadPeerSeconds === 0) connections.closeDead(await listDeadPeers())
    if (second % quarantineSeconds === 0) await callDecided()
    if (second % upkeepSeconds === 0) await keepUp()
    second++
  }, logger)

  function start(): void {
    if (ticks || isClosed) return
    void tick()
    listening = listenTo(pool, 'muster_wake', handleNotice, logger)
    ticks = setInterval(() => void tick(), secondMs)
    ticks.unref()
  }

  function begin(listener: WakeListener, response: WakeConnection['response']): void {
    const connection: WakeConnection = { ...listener, response, calledAt: -maxUnheardMs, beatsLeft: randomBeats() }
    if (isClosed) {
      response.end()
      return
    }
    const [key, known] = [keyOf(connection), byComputer.get(connection.computerId)]
    const earlier = connection.isQuarantined ? quarantined.get(key) : known
    if (connection.isQuarantined) quarantined.set(key, connection)
    else byComputer.set(connection.computerId, connection)
    connections.add(connection)
    start()
    if (earlier) replace(earlier, connection)
    if (!connection.isQuarantined) presence.connected(connection)
  }

  /** The agent would not connect again if it still had the earlier connection: a call on that one was not heard. */
  function replace(earlier: WakeConnection, connection: WakeConnection): void {
    connections.end(earlier)
    if (performance.now() - earlier.calledAt < maxUnheardMs) connections.call(connection)
  }

  return {
    limitTo(max) {
      maxConnections = Math.min(maxConnections, max)
    },
    mayTry: (address) => !refusals.isExceeded(machineOf(address)),
    recordRefusal: (address) => refusals.record(machineOf(address)),
    hasRoom({ computerId, isQuarantined }) {
      if (isQuarantined) return quarantined.size < maxQuarantined
      return byComputer.has(computerId) || connections.count() < maxConnections
    },
    connect: (listener, maxSeconds) =>
      new HeldStream((response) => {
        begin(listener, response)
        if (maxSeconds !== undefined) setTimeout(() => response.end(), maxSeconds * secondMs).unref()
      }),
    connectionCount: () => connections.count(),
    endConnections() {
      isClosed = true
      clearInterval(ticks)
      queue.close()
      presence.close()
      connections.close()
    },
    async close() {
      this.endConnections()
      await listening?.close()
      if (isRegistered) await removeNodes(db, nodeId).catch(() => undefined)
    },
  }
}

const keyOf = ({ computerId, secretHash }: WakeConnection) => `${computerId} ${secretHash.toString('hex')}`

/** Runs once more after the current run if it was called in the meantime, and never twice at once. */
function oneAtATime(run: () => Promise<void>, logger: WakeHubOptions['logger']): () => Promise<void> {
  let isRunning = false
  let isCalled = false
  return async () => {
    isCalled = true
    if (isRunning) return
    isRunning = true
    try {
      while (isCalled) {
        isCalled = false
        await run()
      }
    } catch (error) {
      logger.error({ err: error }, 'The wake channel could not reach the database.')
    } finally {
      isRunning = false
    }
  }
}
