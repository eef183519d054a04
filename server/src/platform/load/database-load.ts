import type { ConnectedDatabase, Lane } from '../../database/connect.ts'
import type { LaneName } from '../../database/lanes.ts'

type Lanes = ConnectedDatabase['lanes']

/** The number of connections in use or waited for. */
export function busyConnections(lanes: Lanes, except: LaneName): number {
  const others = Object.entries(lanes).filter(([name]) => name !== except)
  return others.reduce((sum, [, lane]) => sum + usedConnections(lane), 0)
}

function usedConnections({ pool }: Lane): number {
  return pool.totalCount - pool.idleCount + pool.waitingCount
}

/** How many requests wait for each connection of the lane. */
export function waitingPerConnection({ pool }: Lane): number {
  return pool.waitingCount / (pool.options.max ?? 1)
}
