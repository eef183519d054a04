import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose'
import { Problem } from '../problem.ts'
import type { Caller } from './caller.ts'
import { type Provider, type Providers, providerUnavailable } from './identity-providers.ts'
import type { Principal, PrincipalDirectory } from './principals.ts'

export type ProviderTokens = {
  /** The principal that a valid access token of a provider names, if it exists. */
  verify(token: string): Promise<Caller | undefined>
}

// Asymmetric algorithms only: unsigned tokens and tokens signed with a shared secret are refused.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const clockToleranceSeconds = 30
const keyTimeoutMs = 5_000

export function openProviderTokens(providers: Providers, directory: PrincipalDirectory): ProviderTokens {
  const trusted = [...providers.values()].filter(({ audience }) => audience !== undefined)
  const issuers = new Map(trusted.map((provider) => [provider.issuer, { provider, keys: openKeySet(provider) }]))

  return {
    async verify(token) {
      // Not verified yet: the issuer only selects the keys that must have signed the token.
      const { provider, keys } = issuers.get(claimedIssuer(token)) ?? {}
      if (!provider || !keys) return undefined
      const payload = await verifyClaims(token, provider, keys)
      if (!payload) return undefined
      const { sub = '', exp = 0, iss = '' } = payload
      const subject = { kinds: subjectKinds(provider, payload), subjectId: sub, issuer: iss }
      const findPrincipal = () => directory.findSubject(subject)
      const principal = await findPrincipal()
      return principal && { principal, expiresAt: new Date(exp * 1000), findPrincipal }
    },
  }
}

function claimedIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return ''
  }
}

async function verifyClaims(
  token: string,
  { issuer, audience = '' }: Provider,
  keys: JWTVerifyGetKey,
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp'],
    })
    // Many providers omit the type of access tokens, but other kinds of tokens state theirs (RFC 8725, 3.11).
    const type = protectedHeader.typ?.toLowerCase().replace('application/', '') ?? 'jwt'
    // A token that is bound to a key must not be accepted without a proof of possession (RFC 7800).
    return ['jwt', 'at+jwt'].includes(type) && payload.cnf === undefined ? payload : undefined
  } catch (error) {
    if (error instanceof Problem) throw error
    return undefined
  }
}

/**
 * If a client requested the token for itself, its subject is the client id (RFC 9068, section 2.2). With service accounts
 * it is an id like that of a user, and only the stored principal shows which of the two it is.
 */
function subjectKinds({ serviceAccounts }: Provider, { sub, client_id, azp }: JWTPayload): Principal['kind'][] {
  if (sub === (client_id ?? azp)) return ['client']
  return serviceAccounts ? ['user', 'client'] : ['user']
}

/** The published keys of a provider, cached for ten minutes. An unknown key causes an earlier read, but not every time. */
function openKeySet(provider: Provider): JWTVerifyGetKey {
  let address: string | undefined
  let remote: RemoteJWKSet | undefined

  return async (header, token) => {
    const { jwks_uri = '' } = (await provider.discover()).serverMetadata()
    if (!remote || address !== jwks_uri) {
      address = jwks_uri
      remote = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: keyTimeoutMs })
    }
    return remote(header, token).catch((error: unknown) => {
      throw isTokenFault(error) ? error : providerUnavailable(provider, error)
    })
  }
}

function isTokenFault(error: unknown): boolean {
  const faults = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]
  return faults.some((fault) => error instanceof fault)
}
