import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/** An agent reports to the address with which its run began, and a single command of a job may take a day. */
const lifetimeSeconds = 48 * 3600

/** The device to which an address belongs, and the epoch of the device when the address was issued. */
export type AddressedDevice = { id: number; epoch: number }

/**
 * A part of the addresses that one device gets for its jobs; other devices cannot guess it. It is signed with a key of
 * the service and not stored. It ends after two days, and earlier when the epoch of the device changes.
 */
export function issueAddressToken(keys: ServerKeys, { id, epoch }: AddressedDevice): string {
  const content = `${id}.${epoch}.${nowSeconds() + lifetimeSeconds}`
  return `${content}.${sign(keys, content).toString('base64url')}`
}

/** Undefined when this service did not issue the token, or the token has expired. */
export function parseAddressToken(keys: ServerKeys, token: string): AddressedDevice | undefined {
  const [, content = '', id, epoch, expiry, signature = ''] =
    /^((\d{1,10})\.(\d{1,10})\.(\d{1,12}))\.([\w-]{43})$/.exec(token) ?? []
  const [presented, expected] = [Buffer.from(signature, 'base64url'), sign(keys, content)]
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined
  return Number(expiry) > nowSeconds() ? { id: Number(id), epoch: Number(epoch) } : undefined
}

function sign(keys: ServerKeys, content: string): Buffer {
  return createHmac('sha256', keys.deriveKey('fusion job address')).update(content).digest()
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
