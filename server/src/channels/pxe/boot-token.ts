import { jwtVerify, SignJWT } from 'jose'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { bootTokenInvalid } from './problems.ts'

/** What the holder of a token may fetch, and for which computer it may report. */
export type BootGrant = { clientId: number; imageId: number; skuId: number | null }

const audience = 'boot'
const lifetimeMs = 12 * 3_600_000

const keyOf = (keys: ServerKeys) => keys.deriveKey('boot token')

/** Stands in the addresses of a boot script. Firmware cannot send anything else that would tell who it is. */
export async function issueBootToken(
  keys: ServerKeys,
  { clientId, imageId, skuId }: BootGrant,
  expires = new Date(Date.now() + lifetimeMs),
): Promise<string> {
  return new SignJWT({ image: imageId, sku: skuId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(clientId))
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(keyOf(keys))
}

export async function readBootToken(keys: ServerKeys, token: string): Promise<BootGrant> {
  const { payload } = await jwtVerify<{ image: number; sku: number | null }>(token, keyOf(keys), {
    audience,
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
  }).catch(() => {
    throw bootTokenInvalid()
  })
  return { clientId: Number(payload.sub), imageId: payload.image, skuId: payload.sku }
}
