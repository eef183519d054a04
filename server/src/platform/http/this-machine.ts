import { BlockList, isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { hasForwardingHeader } from './public-origin.ts'

type Request = Pick<FastifyRequest, 'raw' | 'headers' | 'hostname'>

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a program on this machine sent the request, and not a proxy on behalf of another one. The address is that of
 * the connection, which no header can change. The name of the host is checked because some proxies add no header.
 */
export function isFromThisMachine({ raw, headers, hostname }: Request): boolean {
  return isLoopback(raw.socket.remoteAddress ?? '') && !hasForwardingHeader(headers) && isLocalName(hostname)
}

/**
 * Whether the connection itself is encrypted: nobody on the way reads what the request contains. Of a connection that ends at a
 * proxy, only headers say that.
 */
export function isOverOwnTls({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return (raw.socket as Partial<TLSSocket>).encrypted === true
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
