import { jwtVerify, SignJWT } from 'jose'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { bootTokenInvalid } from './problems.ts'

/** The files that a token gives access to, and the computer that it may report for. */
export type BootGrant = { clientId: number; imageId: number; skuId: number | null }

const audience = 'boot'
const lifetimeMs = 12 * 3_600_000

const signingKey = (keys: ServerKeys) => keys.deriveKey('boot token')

/** A token for the addresses of a boot script, because firmware cannot authenticate in any other way. */
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
    .sign(signingKey(keys))
}

/** Throws when the token is forged or has expired. */
export async function verifyBootToken(keys: ServerKeys, token: string): Promise<BootGrant> {
  const { payload } = await jwtVerify<{ image: number; sku: number | null }>(token, signingKey(keys), {
    audience,
    algorithms: ['HS256'],
    requiredClaims: ['exp'],
  }).catch(() => {
    throw bootTokenInvalid()
  })
  return { clientId: Number(payload.sub), imageId: payload.image, skuId: payload.sku }
}
