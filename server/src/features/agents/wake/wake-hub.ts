import { randomUUID } from 'node:crypto'
import { QuietStream } from '../../../platform/http/quiet-stream.ts'
import type { WakeHub, WakeListener } from '../../../platform/http/wake-hub.ts'
import { machineOf } from '../../../platform/load/networks.ts'
import type { Turns } from '../../../platform/load/turns.ts'
import { openCallQueue } from './call-queue.ts'
import { openPresenceWriter } from './presence-writer.ts'
import { openRefusals } from './refusals.ts'
import { openUpkeep, type UpkeepParts } from './upkeep.ts'
import { openWakeConnections, randomBeats, type WakeConnection } from './wake-connections.ts'
import { openWakeRegistry } from './wake-registry.ts'

export type WakeHubOptions = Pick<UpkeepParts, 'db' | 'pool' | 'logger' | 'isQuarantined'> & {
  turns: Pick<Turns, 'state'>
  maxConnections: number
}

/** Agents in quarantine have proven nothing. */
const maxQuarantined = 500

/** Agents whose credential is refused try again after minutes, and a whole site may have one address. */
const maxRefusalsPerMinute = 600

/** A call on a connection that ends within this time may not have been heard. */
const maxUnheardMs = 60_000

const isUnheard = ({ calledAt }: WakeConnection) => performance.now() - calledAt < maxUnheardMs

/** The wake connections of this process. It does nothing while there are none. */
export function openWakeHub(options: WakeHubOptions): WakeHub {
  const { db, logger, turns } = options
  const nodeId = randomUUID()
  const registry = openWakeRegistry()
  const refusals = openRefusals(maxRefusalsPerMinute)
  let { maxConnections } = options
  let isClosed = false

  const connections = openWakeConnections(handleClosed)
  const presence = openPresenceWriter({
    db,
    nodeId,
    onRecorded: () => void upkeep.readCalls(),
    onRefused: connections.end,
    onError: (error) => logger.error({ err: error }, 'Wake connections could not be recorded.'),
  })
  const queue = openCallQueue({
    turns,
    call(computerId) {
      const connection = registry.find(computerId)
      if (connection) connections.call(connection)
    },
    onEmpty: () => void upkeep.readCalls(),
  })
  const upkeep = openUpkeep({ ...options, nodeId, registry, connections, presence, queue })

  function handleClosed(connection: WakeConnection): void {
    const { computerId, isQuarantined } = connection
    if (!registry.remove(connection) || isQuarantined || isClosed) return
    const wasWaiting = queue.remove(computerId)
    presence.ended(computerId, wasWaiting || isUnheard(connection))
  }

  function begin(listener: WakeListener, response: WakeConnection['response']): void {
    if (isClosed) return void response.end()
    const connection = { ...listener, response, calledAt: Number.NEGATIVE_INFINITY, beatsLeft: randomBeats() }
    const earlier = registry.add(connection)
    connections.add(connection)
    if (earlier) connections.end(earlier)
    // The agent would not connect again if it still had the earlier connection.
    if (earlier && isUnheard(earlier)) connections.call(connection)
    if (!connection.isQuarantined) presence.connected(connection)
    upkeep.start()
  }

  function endConnections(): void {
    isClosed = true
    upkeep.stop()
    queue.close()
    presence.close()
    connections.close()
  }

  return {
    limitTo(max) {
      maxConnections = Math.min(maxConnections, max)
    },
    mayTry: (address) => !refusals.isExceeded(machineOf(address)),
    recordRefusal: (address) => refusals.record(machineOf(address)),
    hasRoom({ computerId, isQuarantined }) {
      if (isQuarantined) return registry.count().quarantined < maxQuarantined
      return registry.find(computerId) !== undefined || connections.count() < maxConnections
    },
    connect: (listener, maxSeconds) =>
      new QuietStream((response) => {
        begin(listener, response)
        if (maxSeconds !== undefined) setTimeout(() => response.end(), maxSeconds * 1_000).unref()
      }),
    connectionCount: connections.count,
    endConnections,
    async close() {
      endConnections()
      await upkeep.close()
    },
  }
}
