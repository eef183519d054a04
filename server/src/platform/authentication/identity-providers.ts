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
  /** The metadata that the provider publishes, read on first use. Throws 503 while the provider cannot be reached. */
  discover(): Promise<Configuration>
}

export type Providers = ReadonlyMap<string, Provider>

const hour = 3_600_000
// While the provider cannot be reached, most requests fail at once instead of waiting for it.
const msBetweenAttempts = 5_000
const timeoutSeconds = 5

/** The configured providers by name. None of them is contacted yet, so the start does not depend on them. */
export function openProviders(providers: readonly IdentityProvider[]): Providers {
  return new Map(providers.map((provider) => [provider.name, openProvider(provider)]))
}

function openProvider(provider: IdentityProvider): Provider {
  let known: Configuration | undefined
  let failure: Problem | undefined
  let nextAttempt = 0
  let currentAttempt: Promise<void> | undefined

  async function attempt(): Promise<void> {
    try {
      known = await readMetadata(provider)
      nextAttempt = Date.now() + hour
    } catch (error) {
      failure = providerUnavailable(provider, error)
      nextAttempt = Date.now() + msBetweenAttempts
    }
  }

  return {
    ...provider,
    async discover() {
      if (Date.now() >= nextAttempt) {
        currentAttempt ??= attempt().finally(() => {
          currentAttempt = undefined
        })
        await currentAttempt
      }
      if (known) return known
      throw failure ?? providerUnavailable(provider, undefined)
    },
  }
}

export function providerUnavailable({ name }: IdentityProvider, cause: unknown): Problem {
  const problem = identityProviderUnavailable({ provider: name }).withHeaders({ 'retry-after': '5' })
  problem.cause = cause
  return problem
}

async function readMetadata(provider: IdentityProvider): Promise<Configuration> {
  const issuer = new URL(provider.issuer)
  const found = await discovery(issuer, provider.clientId, {}, clientAuthentication(provider), {
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  const { issuer: ownName, jwks_uri: keys = '' } = found.serverMetadata()
  // Principals are looked up by the issuer, so it must be equal to the letter.
  if (ownName !== provider.issuer)
    throw new Error(
      `The provider '${provider.name}' has the issuer ${ownName}, but the configuration says ${provider.issuer}`,
    )
  if (!URL.canParse(keys) || !isTrustworthy(new URL(keys)))
    throw new Error(`The provider '${provider.name}' does not publish its keys at a trustworthy URL`)
  return found
}

/** HTTP Basic, the default of OpenID Connect, unless the provider only supports the secret in the form. */
function clientAuthentication({ clientSecret }: IdentityProvider): ClientAuth {
  if (clientSecret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...request) => {
    const supportsBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
    return (supportsBasic ? basic : post)(server, ...request)
  }
}
