import type pg from 'pg'
import type { Database } from '../../../database/connect.ts'
import { listenTo } from '../../../database/listen.ts'
import { watchDeadPeers } from '../../../platform/http/dead-peers.ts'
import type { AgentCredential } from '../agent-credentials.ts'
import type { CallQueue } from './call-queue.ts'
import { decisionNotice } from './decisions.ts'
import { openMemoryRelease } from './memory-release.ts'
import { purgePresence, recordSeen, registerNode, removeNodes, renewNode } from './presence.ts'
import type { PresenceWriter } from './presence-writer.ts'
import { claimCalls } from './wake-calls.ts'
import type { WakeConnections } from './wake-connections.ts'
import type { WakeRegistry } from './wake-registry.ts'

export type Logger = { warn(message: string): void; error(details: object, message: string): void }

export type UpkeepParts = {
  db: Database
  /** Only its settings are used: there is a connection of its own for notifications. */
  pool: pg.Pool
  logger: Logger
  nodeId: string
  registry: WakeRegistry
  connections: WakeConnections
  presence: PresenceWriter
  queue: CallQueue
  /** Whether an agent in quarantine still waits for a decision. */
  isQuarantined(credential: AgentCredential): Promise<boolean>
}

export type Upkeep = { start(): void; readCalls(): Promise<void>; stop(): void; close(): Promise<void> }

const secondMs = 1_000
const renewSeconds = 15
const quarantineSeconds = 2
/** With a heartbeat every 25 seconds, a silent network is noticed within a minute, even where answers take a tenth of a second. */
export const deadPeerSeconds = 15
const purgeSeconds = 60

/**
 * Looks for calls and keeps the database informed, from the first connection on. Calls are found by notifications, and each second
 * where those do not arrive.
 */
export function openUpkeep(parts: UpkeepParts): Upkeep {
  const { db, logger, nodeId, registry, connections, queue } = parts
  let listening: { close(): Promise<void> } | undefined
  let ticks: NodeJS.Timeout | undefined
  let [second, isRegistered, isStopped] = [0, false, false]
  let countAtLastLook = 0
  let lastNoticeAt = Number.NEGATIVE_INFINITY
  const listDeadPeers = watchDeadPeers()
  const releaseMemory = openMemoryRelease()

  const readCalls = oneAtATime(async () => {
    const room = queue.room()
    if (registry.count().agents === 0 || isStopped || room <= 0) return
    for (const { computerId, isEnd } of await claimCalls(db, nodeId, room)) {
      const connection = registry.find(computerId)
      if (connection && isEnd) connections.end(connection)
      else if (connection) queue.add(computerId)
    }
  }, logger)

  const callDecided = oneAtATime(() => callDecidedAgents(parts), logger)

  async function handleNotice(payload?: string): Promise<void> {
    if (payload === nodeId) lastNoticeAt = performance.now()
    if (payload === decisionNotice) await callDecided()
    // Other processes send themselves their ids.
    if (!payload) await readCalls()
  }

  async function renew(): Promise<void> {
    if (isRegistered && (await renewNode(db, nodeId))) return
    await registerNode(db, nodeId)
    // Others have taken this process for dead, and its connections for ended.
    if (isRegistered) for (const connection of registry.all()) parts.presence.connected(connection)
    isRegistered = true
  }

  /** While agents return after a restart, none has been silent for long, and it takes long to read the table of connections. */
  async function closeDead(): Promise<void> {
    const isGrowing = connections.count() > 1.1 * countAtLastLook
    countAtLastLook = connections.count()
    if (!isGrowing) connections.closeDead(await listDeadPeers())
  }

  const tick = oneAtATime(async () => {
    if (connections.count() === 0 || isStopped) return
    const areNoticesArriving = performance.now() - lastNoticeAt < 2.5 * renewSeconds * secondMs
    if (second % renewSeconds === 0) await renew()
    if (second % renewSeconds === 0 || !areNoticesArriving) await readCalls()
    if (second % deadPeerSeconds === 0) await closeDead()
    if (second % quarantineSeconds === 0) await callDecided()
    if (second % purgeSeconds === 0) await purge(parts, () => isStopped)
    releaseMemory(connections.count())
    second++
  }, logger)

  return {
    readCalls,
    start() {
      if (ticks || isStopped) return
      void tick()
      listening = listenTo(parts.pool, 'muster_wake', handleNotice, logger)
      ticks = setInterval(() => void tick(), secondMs)
      ticks.unref()
    },
    stop() {
      isStopped = true
      clearInterval(ticks)
    },
    async close() {
      await listening?.close()
      if (isRegistered) await removeNodes(db, nodeId).catch(() => undefined)
    },
  }
}

async function callDecidedAgents({ registry, connections, isQuarantined }: UpkeepParts): Promise<void> {
  for (const connection of registry.quarantined()) {
    const { computerId: clientId, secretHash } = connection
    if (await isQuarantined({ clientId, secretHash })) continue
    connections.call(connection)
    connections.end(connection)
  }
}

async function purge({ db, nodeId }: UpkeepParts, isStopped: () => boolean): Promise<void> {
  await removeNodes(db)
  await purgePresence(db)
  let hasMore = true
  while (hasMore && !isStopped()) hasMore = await recordSeen(db, nodeId)
}

/** Runs once more after the current run if it was called in the meantime, and never twice at once. */
function oneAtATime(run: () => Promise<void>, logger: Logger): () => Promise<void> {
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
