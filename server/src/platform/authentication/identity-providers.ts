import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import { identityProviderUnavailable } from '../general-problems.ts'
import type { Problem } from '../problem.ts'
import { type IdentityProvider, isTrustworthy } from './identity-provider-file.ts'

export type Provider = IdentityProvider & {
  /** What the provider publishes about itself, asked for when it is first needed. Throws 503 while it cannot be had. */
  discover(): Promise<Configuration>
}

export type Providers = ReadonlyMap<string, Provider>

const hour = 3_600_000
// Of requests that come while the provider is out of reach, not each waits for it.
const msBetweenAttempts = 5_000
const timeoutSeconds = 5

/** The providers of the configuration by name. The start does not wait for any of them. */
export function openProviders(providers: readonly IdentityProvider[]): Providers {
  return new Map(providers.map((provider) => [provider.name, openProvider(provider)]))
}

function openProvider(provider: IdentityProvider): Provider {
  let known: Configuration | undefined
  let failure: Problem | undefined
  let nextAttempt = 0
  let underWay: Promise<void> | undefined

  async function attempt(): Promise<void> {
    try {
      known = await discovered(provider)
      nextAttempt = Date.now() + hour
    } catch (error) {
      failure = unavailable(provider, error)
      nextAttempt = Date.now() + msBetweenAttempts
    }
  }

  return {
    ...provider,
    async discover() {
      if (Date.now() >= nextAttempt) {
        underWay ??= attempt().finally(() => {
          underWay = undefined
        })
        await underWay
      }
      if (known) return known
      throw failure ?? unavailable(provider, undefined)
    },
  }
}

export function unavailable({ name }: IdentityProvider, cause: unknown): Problem {
  const problem = identityProviderUnavailable({ provider: name }).withHeaders({ 'retry-after': '5' })
  problem.cause = cause
  return problem
}

async function discovered(provider: IdentityProvider): Promise<Configuration> {
  const issuer = new URL(provider.issuer)
  const found = await discovery(issuer, provider.clientId, {}, clientAuthentication(provider), {
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  const { issuer: ownName, jwks_uri: keys = '' } = found.serverMetadata()
  // Principals are found by this name, to the letter.
  if (ownName !== provider.issuer)
    throw new Error(`The provider '${provider.name}' calls itself ${ownName}, but the configuration ${provider.issuer}`)
  if (!URL.canParse(keys) || !isTrustworthy(new URL(keys)))
    throw new Error(`The provider '${provider.name}' has no keys at an address that can be trusted`)
  return found
}

/** In the way that is the default of the standard, unless the provider says that it takes the other one only. */
function clientAuthentication({ clientSecret }: IdentityProvider): ClientAuth {
  if (clientSecret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...request) => {
    const takesBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
    return (takesBasic ? basic : post)(server, ...request)
  }
}
