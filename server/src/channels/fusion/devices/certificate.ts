import { createHash } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'

/** The hash of the client certificate that the TLS connection was authenticated with; null without one. */
export function hashClientCertificate({ raw: { socket } }: FastifyRequest): Buffer | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null
  const certificate = socket.getPeerX509Certificate()
  return certificate ? createHash('sha256').update(certificate.raw).digest() : null
}
