import type { FastifyRequest } from 'fastify'
import type { FusionKind } from './agent-programs.ts'

/** The enrolment token that a request presents. */
export type PresentedToken = {
  tokenId: number
  tokenHash: Buffer
  /** The token admits new devices. A device that is known may connect with its own token either way. */
  isOpen: boolean
  /** The token admits new devices, or belongs to an enrolled device, or the certificate of the request does. */
  mayReport: boolean
  /** The token admits one device and no second one, so it is the secret of that device alone. */
  isForOneDevice: boolean
}

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
  /** Against which limits it counts, its answer shows. */
  request: FastifyRequest
}

/** The same for all messages of a device. */
export function keyOfSender({ token, deviceId }: Sender): string {
  return `${token.tokenId} ${deviceId}`
}
