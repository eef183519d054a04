import type { FusionKind } from './agent-programs.ts'
import type { PresentedToken } from './presented-token.ts'

/** The sender of a message. Only the token and the certificate are verified; the rest is what the message claims. */
export type Sender = {
  token: PresentedToken
  deviceId: string
  /** Of the id that GLPI agents send in a header; null for other agents. */
  agentIdHash: Buffer | null
  kind: FusionKind
  version: string | null
  certificateHash: Buffer | null
  /** The IP address. */
  address: string
}
