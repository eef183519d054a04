import type { FastifyRequest } from 'fastify'

/** The address of the client in one spelling: listeners for both versions of IP prefix addresses of version 4. */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return ip.replace(/^::ffff:(?=[\d.]+$)/i, '')
}
