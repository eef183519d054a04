import type { Database } from '../../../database/connect.ts'
import { recordConnections, recordEnds } from './presence.ts'
import type { WakeConnection } from './wake-connections.ts'

const firstDelayMs = 20
const intervalMs = 500
const maxBatchSize = 1_000

export type PresenceWriter = {
  connected(connection: WakeConnection): void
  ended(computerId: number, isCallLost: boolean): void
  /** Writes what waits. */
  flush(): Promise<void>
  close(): void
}

export type PresenceOptions = {
  db: Database
  nodeId: string
  /** Called after connections were recorded: there may be calls for them. */
  onRecorded(): void
  /** The credential of the connection has ended. */
  onRefused(connection: WakeConnection): void
  onError(error: unknown): void
}

/** Writes which computers are connected: many in one statement, twice a second at most. */
export function openPresenceWriter({ db, nodeId, ...events }: PresenceOptions): PresenceWriter {
  const connected = new Map<number, WakeConnection>()
  const ended = new Map<number, boolean>()
  let timer: NodeJS.Timeout | undefined
  let isWriting = false
  let isClosed = false

  function schedule(delayMs: number): void {
    if (timer || isWriting || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      void flush()
    }, delayMs)
    timer.unref()
  }

  /** What has happened to the computer in the meantime counts more. */
  function keepForNextBatch(connection: WakeConnection): void {
    const { computerId } = connection
    if (!ended.has(computerId) && !connected.has(computerId)) connected.set(computerId, connection)
  }

  async function writeConnected(batch: readonly WakeConnection[]): Promise<void> {
    if (batch.length === 0) return
    const outcomes = await recordConnections(db, nodeId, batch)
    for (const connection of batch) {
      const outcome = outcomes.get(connection.computerId)
      if (outcome === 'Refused') events.onRefused(connection)
      if (outcome === 'Locked') keepForNextBatch(connection)
    }
    events.onRecorded()
  }

  async function writeBatch(): Promise<void> {
    const ends = [...ended].slice(0, maxBatchSize)
    const added = [...connected.values()].slice(0, maxBatchSize)
    for (const [computerId] of ends) ended.delete(computerId)
    for (const { computerId } of added) connected.delete(computerId)
    try {
      if (ends.length > 0)
        await recordEnds(
          db,
          nodeId,
          ends.map(([computerId, isCallLost]) => ({ computerId, isCallLost })),
        )
      await writeConnected(added)
    } catch (error) {
      for (const [computerId, isCallLost] of ends)
        if (!connected.has(computerId) && !ended.has(computerId)) ended.set(computerId, isCallLost)
      for (const connection of added) keepForNextBatch(connection)
      throw error
    }
  }

  async function flush(): Promise<void> {
    if (isWriting) return
    isWriting = true
    try {
      await writeBatch()
    } catch (error) {
      events.onError(error)
    } finally {
      isWriting = false
      if (connected.size + ended.size > 0) schedule(intervalMs)
    }
  }

  return {
    connected(connection) {
      ended.delete(connection.computerId)
      connected.set(connection.computerId, connection)
      schedule(firstDelayMs)
    },
    ended(computerId, isCallLost) {
      connected.delete(computerId)
      ended.set(computerId, isCallLost)
      schedule(firstDelayMs)
    },
    flush,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
