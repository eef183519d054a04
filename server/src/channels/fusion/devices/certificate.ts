import { createHash } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'

/** Of the certificate that the agent has shown, and whose key it has proved to have; null where there is none. */
export function certificateHashOf({ raw: { socket } }: FastifyRequest): Buffer | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null
  const certificate = socket.getPeerX509Certificate()
  return certificate ? createHash('sha256').update(certificate.raw).digest() : null
}
