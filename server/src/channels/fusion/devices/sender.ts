import type { FusionKind } from './agent-kinds.ts'
import type { Entrance } from './presented-token.ts'

/** Who sent a message, as far as it says so itself. */
export type Sender = {
  entrance: Entrance
  deviceId: string
  kind: FusionKind
  version: string | null
  certificateHash: Buffer | null
  /** Of the network. */
  address: string
}
