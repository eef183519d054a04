import { randomUUID } from 'node:crypto'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { type SigningKeys, signatureAlgorithm } from './signing-keys.ts'

export type VerifiedToken = { principalId: number; expiresAt: Date }

export type AccessTokens = {
  lifetimeSeconds: number
  issue(principalId: number): Promise<string>
  /** Whom the token names, while it is valid. It says nothing about rights: those are looked up. */
  verify(token: string): Promise<VerifiedToken | undefined>
  /** To be called when the keys may no longer be those that verified the tokens seen so far. */
  forget(): void
}

// Tokens of other installations are refused because their keys are unknown, not because of these names.
const issuer = 'urn:muster'

// A token's signature stays what it is, so it is checked once. Bounds the memory that many tokens can take.
const rememberedTokens = 10_000

export function openAccessTokens(keys: SigningKeys, lifetimeSeconds: number): AccessTokens {
  const verified = new Map<string, VerifiedToken>()

  async function checkSignature(token: string): Promise<VerifiedToken> {
    // Before a look for its key, which tokens of identity providers do not have here.
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
      const result = await checkSignature(token).catch((error: unknown) => {
        // A token whose key cannot be looked up at the moment is not known to be wrong.
        if (isDatabaseUnavailable(error)) throw error
        return undefined
      })
      if (!result) return undefined
      for (const oldest of verified.keys()) {
        if (verified.size < rememberedTokens) break
        verified.delete(oldest)
      }
      verified.set(token, result)
      return result
    },
    forget: () => verified.clear(),
  }
}
