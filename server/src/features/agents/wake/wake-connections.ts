import type { ServerResponse } from 'node:http'
import { peerKey } from '../../../platform/http/dead-peers.ts'

/** One agent that keeps a connection. Tens of thousands of them exist, so it has no timer and no closure of its own. */
export type WakeConnection = {
  computerId: number
  secretHash: Buffer
  isQuarantined: boolean
  response: ServerResponse
  /** When the agent was last called, by `performance.now()`. */
  calledAt: number
  /** How many heartbeats follow before the connection is closed. */
  beatsLeft: number
}

export type WakeConnections = {
  add(connection: WakeConnection): void
  /** Sends the word that asks the agent for a contact. Returns false if the connection has ended. */
  call(connection: WakeConnection): boolean
  /** Ends the answer. The agent connects again, perhaps to another node. */
  end(connection: WakeConnection): void
  /** Closes the connections to peers that acknowledge nothing any more. */
  closeDead(peers: ReadonlySet<string>): void
  count(): number
  close(): void
}

export const beatSeconds = 25

/** After one to three hours, at random: agents find new nodes, and a node that has started again gets its share. */
const minBeats = 3_600 / beatSeconds
const maxBeats = 3 * minBeats

export const randomBeats = (): number => Math.round(minBeats + Math.random() * (maxBeats - minBeats))

/** What an agent has not read. A connection that is this far behind is dead or hostile. */
const maxUnreadBytes = 1_024

const heartbeat = '\n'
const callOfAgent = 'contact\n'

const asChunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`
const heartbeatChunk = asChunk(heartbeat)
const callChunk = asChunk(callOfAgent)

const ownConnection = Symbol('the wake connection of a response')

type QuietResponse = ServerResponse & { [ownConnection]?: WakeConnection }

/**
 * Keeps connections alive: each gets a heartbeat every 25 seconds, a part of all each second. `onClosed` is called once for each
 * connection, whichever side has closed it.
 */
export function openWakeConnections(onClosed: (connection: WakeConnection) => void): WakeConnections {
  const slots = Array.from({ length: beatSeconds }, () => new Set<WakeConnection>())
  let next = 0
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function remove(connection: WakeConnection): void {
    const slot = slots.find((connections) => connections.delete(connection))
    if (!slot) return
    count--
    if (count === 0) {
      clearInterval(timer)
      timer = undefined
    }
    onClosed(connection)
  }

  // One function for all connections.
  function handleClose(this: QuietResponse): void {
    const connection = this[ownConnection]
    if (connection) remove(connection)
  }

  function end(connection: WakeConnection): void {
    const { response } = connection
    remove(connection)
    response.end()
  }

  function beat(): void {
    next = (next + 1) % beatSeconds
    for (const connection of slots[next] ?? []) {
      connection.beatsLeft--
      if (connection.beatsLeft <= 0) end(connection)
      else write(connection.response, heartbeat, heartbeatChunk)
    }
  }

  return {
    add(connection) {
      const response: QuietResponse = connection.response
      response[ownConnection] = connection
      response.on('close', handleClose)
      // The slot that has its turn last: the first heartbeat comes after the full interval.
      slots[next]?.add(connection)
      count++
      response.write(heartbeat)
      if (timer) return
      timer = setInterval(beat, 1_000)
      timer.unref()
    },
    call(connection) {
      connection.calledAt = performance.now()
      return write(connection.response, callOfAgent, callChunk)
    },
    end,
    closeDead(peers) {
      if (peers.size === 0) return
      for (const slot of slots)
        for (const { response } of slot) {
          const { remoteAddress = '', remotePort = 0 } = response.socket ?? {}
          if (peers.has(peerKey(remoteAddress, remotePort))) response.socket?.destroy()
        }
    },
    count: () => count,
    close() {
      for (const slot of slots) for (const connection of slot) end(connection)
    },
  }
}

/** Writes to the socket: the response would make four writes of it. Clients of HTTP 1.0 get no chunks. */
function write(response: ServerResponse, content: string, chunk: string): boolean {
  const { socket } = response
  if (!socket || socket.destroyed || response.writableEnded) return false
  if (socket.writableLength > maxUnreadBytes) {
    socket.destroy()
    return false
  }
  socket.write(response.chunkedEncoding ? chunk : content, 'latin1')
  return true
}
