import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/**
 * A part of the addresses that one device gets for its jobs; other devices cannot guess it. It is derived from the keys of
 * the service, so it is not stored, and it becomes useless when the device is deleted.
 */
export function buildDeviceToken(keys: ServerKeys, deviceId: number): string {
  return `${deviceId}.${sign(keys, deviceId).toString('base64url')}`
}

/** The device of a token; undefined when this service did not issue the token. */
export function parseDeviceToken(keys: ServerKeys, token: string): number | undefined {
  const [, id, signature = ''] = /^(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined) return undefined
  const [presented, expected] = [Buffer.from(signature, 'base64url'), sign(keys, Number(id))]
  return presented.length === expected.length && timingSafeEqual(presented, expected) ? Number(id) : undefined
}

function sign(keys: ServerKeys, deviceId: number): Buffer {
  return createHmac('sha256', keys.deriveKey('fusion device')).update(String(deviceId)).digest()
}
