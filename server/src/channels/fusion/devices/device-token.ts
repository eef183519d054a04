import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/**
 * Stands in the addresses that one agent is given for its work, and that no other one knows. It follows from the keys of
 * the service, so that it is stored nowhere, and ends with the device.
 */
export function deviceToken(keys: ServerKeys, deviceId: number): string {
  return `${deviceId}.${signature(keys, deviceId).toString('base64url')}`
}

/** The device that a token was made for; undefined when it was not made here. */
export function readDeviceToken(keys: ServerKeys, token: string): number | undefined {
  const [, id, given = ''] = /^(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined) return undefined
  const [said, right] = [Buffer.from(given, 'base64url'), signature(keys, Number(id))]
  return said.length === right.length && timingSafeEqual(said, right) ? Number(id) : undefined
}

function signature(keys: ServerKeys, deviceId: number): Buffer {
  return createHmac('sha256', keys.deriveKey('fusion device')).update(String(deviceId)).digest()
}
