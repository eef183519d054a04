import type { Fault } from './begin-fault.ts'
import type { Load } from './load.ts'
import type { Arrangement, World } from './world.ts'

export type Cell = {
  name: string
  /** How the fault begins, and how it ends. */
  begins: string
  ends: string
  arrangement: Arrangement
  /** If it does not, the p99 of other computers is bounded while the fault lasts. */
  takesDatabase: boolean
  /** Whether other computers may get a 503. */
  mayRefuseOthers: boolean
  /**
   * How many operations the broken process or connection had in progress at most, with those that waited for their locks.
   * The fault concerns them, but they cannot be identified from outside: this many of the slowest are not counted.
   */
  maxInProgress: number
  /** Whether connections of clients may break, because the process that serves them ends or cannot accept any. */
  mayDropConnections: boolean
  /** What /health/ready answers during the fault. */
  ready: 'turns false' | 'stays true' | 'either'
  /** Whether the service is also stopped by SIGTERM during the fault, and whether the short version does so, too. */
  stops?: 'in both versions' | 'in the long version'
  begin(world: World, load: Load): Promise<Fault>
}

/** Everybody has to wait, and is served again without help when the fault has ended. */
export const all = { takesDatabase: true, mayRefuseOthers: true, mayDropConnections: false, maxInProgress: 0 } as const
/** Those who used that connection may be asked to repeat. */
export const oneConnection = {
  takesDatabase: false,
  mayRefuseOthers: true,
  mayDropConnections: false,
  maxInProgress: 3,
} as const
/** Nobody else notices: a balancer must not take a node out of service because of one row. */
export const nobodyElse = {
  takesDatabase: false,
  mayRefuseOthers: false,
  mayDropConnections: false,
  maxInProgress: 0,
} as const
/** Clients whose connection breaks repeat their request on another one. */
export const someClients = {
  takesDatabase: false,
  mayRefuseOthers: false,
  mayDropConnections: true,
  maxInProgress: 3,
} as const
