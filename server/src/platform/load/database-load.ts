import type { ConnectedDatabase, Lane } from '../../database/connect.ts'
import type { LaneName } from '../../database/lanes.ts'

type Lanes = ConnectedDatabase['lanes']

/** From this many connections in use or waited for, the database counts as busy. A node at its limit has more. */
const minBusyConnections = 4

/** Whether the lanes, except one, keep the database busy. */
export function isDatabaseBusy(lanes: Lanes, except: LaneName): boolean {
  const others = Object.entries(lanes).filter(([name]) => name !== except)
  return others.reduce((sum, [, lane]) => sum + usedConnections(lane), 0) >= minBusyConnections
}

function usedConnections({ pool }: Lane): number {
  return pool.totalCount - pool.idleCount + pool.waitingCount
}

/** How many requests wait for each connection of the lane. */
export function waitingPerConnection({ pool }: Lane): number {
  return pool.waitingCount / (pool.options.max ?? 1)
}
