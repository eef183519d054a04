import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { LaneConnection, LaneConnections } from './lane-connections.ts'

export type WatchedLane = { applicationName: string; connections: LaneConnections }

type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult<{ name: string }>>

const intervalMs = 1_000
/** An answer may be on its way when the server says that it has finished the statement. */
const answerDelayMs = 500

/**
 * Closes connections whose statement the server is not executing: its answer was lost with a network that fell silent.
 * Without this, each of them would occupy a place in its lane until the deadline of the lane, even if the network works
 * again. A server executes nothing for a lane if none of the lane's connections is active there. Connections are found by
 * their application name, because a connection pooler keeps that and not the process ids.
 */
export function watchLostStatements(lanes: readonly WatchedLane[], ask: Ask): { stop(): void } {
  let isAsking = false
  const timer = setInterval(async () => {
    const suspected = lanes.map((lane) => ({ ...lane, suspects: lane.connections.listSuspects() }))
    if (isAsking || suspected.every(({ suspects }) => suspects.length === 0)) return
    isAsking = true
    try {
      const active = await listActiveLanes(ask, lanes)
      // The question itself is active. If it is not listed, a connection pooler hides the names, and nothing is known.
      if (active.size === 0) return
      await sleep(answerDelayMs, undefined, { ref: false })
      for (const { applicationName, suspects } of suspected) if (!active.has(applicationName)) closeUnanswered(suspects)
    } catch {
      // The server does not answer yet.
    } finally {
      isAsking = false
    }
  }, intervalMs).unref()
  return { stop: () => clearInterval(timer) }
}

async function listActiveLanes(ask: Ask, lanes: readonly WatchedLane[]): Promise<Set<string>> {
  const { rows } = await ask({
    text: `select distinct application_name as name from pg_stat_activity
      where application_name = any($1) and state = 'active'`,
    values: [lanes.map(({ applicationName }) => applicationName)],
  })
  return new Set(rows.map(({ name }) => name))
}

function closeUnanswered(suspects: readonly { connection: LaneConnection; sentAt: number }[]): void {
  for (const { connection, sentAt } of suspects) if (connection.sentAt === sentAt) connection.abandon()
}
