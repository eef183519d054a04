import { compositeKey } from '@muster/text'
import type { WakeConnection } from './wake-connections.ts'

export type WakeRegistry = {
  /** Adds a connection. Returns the one that it replaces: an agent has one connection. */
  add(connection: WakeConnection): WakeConnection | undefined
  /** Returns false if another connection has replaced it. */
  remove(connection: WakeConnection): boolean
  /** Not those of agents in quarantine. */
  find(computerId: number): WakeConnection | undefined
  all(): Iterable<WakeConnection>
  quarantined(): readonly WakeConnection[]
  count(): { agents: number; quarantined: number }
}

/** Which agents have a connection to this process. Several agents in quarantine may claim one computer. */
export function openWakeRegistry(): WakeRegistry {
  const agents = new Map<number | string, WakeConnection>()
  const claims = new Map<number | string, WakeConnection>()
  const mapOf = ({ isQuarantined }: WakeConnection) => (isQuarantined ? claims : agents)
  const keyOf = ({ computerId, secretHash, isQuarantined }: WakeConnection) =>
    isQuarantined ? compositeKey(String(computerId), secretHash.toString('hex')) : computerId

  return {
    add(connection) {
      const key = keyOf(connection)
      const earlier = mapOf(connection).get(key)
      mapOf(connection).set(key, connection)
      return earlier
    },
    remove(connection) {
      const key = keyOf(connection)
      return mapOf(connection).get(key) === connection && mapOf(connection).delete(key)
    },
    find: (computerId) => agents.get(computerId),
    all: () => agents.values(),
    quarantined: () => [...claims.values()],
    count: () => ({ agents: agents.size, quarantined: claims.size }),
  }
}
