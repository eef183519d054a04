import { jwtVerify, SignJWT } from 'jose'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { bootTokenInvalid } from './problems.ts'

/** The files that a token gives access to, the computer that it may report for, and the grant to which it belongs. */
export type BootTokenContent = { clientId: number; grantId: string; imageId: number; skuId: number | null }

const audience = 'boot'
const lifetimeMs = 12 * 3_600_000

const signingKey = (keys: ServerKeys) => keys.deriveKey('boot token')

/** A token for the addresses of a boot script, because firmware cannot authenticate in any other way. */
export async function issueBootToken(
  keys: ServerKeys,
  { clientId, grantId, imageId, skuId }: BootTokenContent,
  expires = new Date(Date.now() + lifetimeMs),
): Promise<string> {
  return new SignJWT({ image: imageId, sku: skuId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(clientId))
    .setJti(grantId)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(signingKey(keys))
}

/** Throws when the token is forged or has expired. */
export async function verifyBootToken(keys: ServerKeys, token: string): Promise<BootTokenContent> {
  const { payload } = await jwtVerify<{ image: number; sku: number | null }>(token, signingKey(keys), {
    audience,
    algorithms: ['HS256'],
    requiredClaims: ['exp', 'jti'],
  }).catch(() => {
    throw bootTokenInvalid()
  })
  return { clientId: Number(payload.sub), grantId: payload.jti ?? '', imageId: payload.image, skuId: payload.sku }
}
