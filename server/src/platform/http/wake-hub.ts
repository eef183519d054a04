import type { QuietStream } from './quiet-stream.ts'

/** An agent that has proven itself with its credential. */
export type WakeListener = {
  computerId: number
  /** Hash of the secret of its credential. */
  secretHash: Buffer
  /** Whether the agent waits in quarantine. It is called when it was confirmed or rejected. */
  isQuarantined: boolean
}

/** The wake connections of this process. */
export type WakeHub = {
  /** Takes no more connections than these, if that is less than the configured number. */
  limitTo(max: number): void
  /** Whether this process checks another credential from this address. */
  mayTry(address: string): boolean
  recordRefusal(address: string): void
  /** Whether this process takes another connection of this agent. */
  hasRoom(listener: WakeListener): boolean
  /** The connection of the agent, which replaces an earlier one of the same agent. It ends after `maxSeconds`, if given. */
  connect(listener: WakeListener, maxSeconds?: number): QuietStream
  connectionCount(): number
  /** Ends all connections, and accepts no others. */
  endConnections(): void
  close(): Promise<void>
}
