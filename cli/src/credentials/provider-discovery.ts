import type { AccessToken } from '@muster/client'
import { allowInsecureRequests, type Configuration, discovery, None, type TokenEndpointResponse } from 'openid-client'
import { CommandFailure } from '../errors.ts'
import { trustSystemCertificates } from './system-certificates.ts'

/** Reads the addresses of an identity provider, for this command as a public client. */
export async function discoverProvider({
  issuer,
  clientId,
}: {
  issuer: string
  clientId: string
}): Promise<Configuration> {
  const address = new URL(issuer)
  trustSystemCertificates(address)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(address.hostname)
  // Plain HTTP is accepted on this computer only.
  const options = isLoopback ? { execute: [allowInsecureRequests] } : {}
  return discovery(address, clientId, undefined, None(), options).catch((error: Error) => {
    throw new CommandFailure(`The identity provider ${issuer} cannot be used: ${error.message}`)
  })
}

/** Providers need not say how long a token is valid. Muster refuses it when it has expired, and a new one is requested. */
const defaultSeconds = 300

export function toAccessToken({ access_token, expires_in = defaultSeconds }: TokenEndpointResponse): AccessToken {
  return { accessToken: access_token, expiresAt: Date.now() + expires_in * 1_000 }
}

/** What the provider says about a failure, if it says something. */
export function describeProviderError(error: Error): string {
  const { error: code, error_description: description } = error as { error?: string; error_description?: string }
  return description ?? code ?? error.message
}
