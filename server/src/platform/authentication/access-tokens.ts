import { randomUUID } from 'node:crypto'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { isResourceExhausted } from '../resource-exhaustion.ts'
import { type SigningKeys, signatureAlgorithm } from './signing-keys.ts'

export type VerifiedToken = { principalId: number; expiresAt: Date }

export type AccessTokens = {
  lifetimeSeconds: number
  issue(principalId: number): Promise<string>
  /** The principal that a valid token names. A token says nothing about roles: those are in the database. */
  verify(token: string): Promise<VerifiedToken | undefined>
  /** Discards the cache of verified tokens. Call it if the signing keys were replaced. */
  clearCache(): void
}

// All installations share this name. Tokens of other installations are refused because their keys are unknown.
const issuer = 'urn:muster'

// A valid signature stays valid, so it is verified once per token. Limits the memory for that.
const maxCachedTokens = 10_000

export function openAccessTokens(keys: SigningKeys, lifetimeSeconds: number): AccessTokens {
  const verified = new Map<string, VerifiedToken>()

  async function verifySignature(token: string): Promise<VerifiedToken> {
    // First, because looking for the key of an identity provider's token would cost a statement.
    if (decodeJwt(token).iss !== issuer) throw new Error('token of another issuer')
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.find(kid)
        if (!key) throw new Error('unknown signing key')
        return key.publicKey
      },
      { issuer, audience: issuer, algorithms: [signatureAlgorithm], typ: 'at+jwt', requiredClaims: ['sub', 'exp'] },
    )
    return { principalId: Number(payload.sub), expiresAt: new Date(Number(payload.exp) * 1000) }
  }

  return {
    lifetimeSeconds,
    issue(principalId) {
      const key = keys.current()
      return new SignJWT()
        .setProtectedHeader({ alg: signatureAlgorithm, typ: 'at+jwt', kid: key.id })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(String(principalId))
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .setJti(randomUUID())
        .sign(key.privateKey)
    },
    async verify(token) {
      const known = verified.get(token)
      if (known) return known.expiresAt.getTime() > Date.now() ? known : undefined
      const result = await verifySignature(token).catch((error: unknown) => {
        // If its key cannot be read at the moment, the token may still be valid.
        if (isDatabaseUnavailable(error) || isResourceExhausted(error)) throw error
        return undefined
      })
      if (!result) return undefined
      for (const oldest of verified.keys()) {
        if (verified.size < maxCachedTokens) break
        verified.delete(oldest)
      }
      verified.set(token, result)
      return result
    },
    clearCache: () => verified.clear(),
  }
}
