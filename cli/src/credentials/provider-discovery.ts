import { type AccessToken, isLoopback, isSecureAddress, limitAnswer } from '@muster/client'
import {
  allowInsecureRequests,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  None,
  type TokenEndpointResponse,
} from 'openid-client'
import { CommandFailure } from '../errors.ts'
import { trustSystemCertificates } from './system-certificates.ts'

/** What a provider sends is small. */
const maxBytes = 1024 * 1024
const timeoutSeconds = 30

/** Reads the addresses of an identity provider, for this command as a public client. */
export async function discoverProvider({
  issuer,
  clientId,
}: {
  issuer: string
  clientId: string
}): Promise<Configuration> {
  const refuse = (reason: string) => new CommandFailure(`The identity provider ${issuer} cannot be used: ${reason}`)
  const address = URL.parse(issuer)
  if (!address || !isSecureAddress(address)) throw refuse('its address must begin with https://.')
  trustSystemCertificates(address)
  const provider = await discovery(address, clientId, undefined, None(), {
    timeout: timeoutSeconds,
    [customFetch]: sendToProvider,
    // Plain HTTP is accepted on this computer only.
    ...(isLoopback(address) && { execute: [allowInsecureRequests] }),
  }).catch((error: Error) => {
    throw refuse(error.message)
  })
  for (const [name, endpoint] of Object.entries(provider.serverMetadata()))
    if (name.endsWith('_endpoint') && !isUsable(endpoint)) throw refuse(`its ${name} must begin with https://.`)
  return provider
}

const isUsable = (endpoint: unknown) => {
  const address = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  return address !== null && isSecureAddress(address)
}

/** Codes and refresh tokens go where the metadata of the provider says, and not further. */
const sendToProvider: CustomFetch = async (url, options) => {
  if (!isUsable(url)) throw new CommandFailure(`Nothing is sent to ${url}, because it is not encrypted.`)
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
  return limitAnswer(response, { maxBytes, maxMs: timeoutSeconds * 1_000 })
}

/** Providers need not say how long a token is valid. Muster refuses it when it has expired, and a new one is requested. */
const defaultSeconds = 300

export function toAccessToken({ access_token, expires_in = defaultSeconds }: TokenEndpointResponse): AccessToken {
  if (!/^[\x21-\x7e]+$/.test(access_token)) throw new CommandFailure('The identity provider issued an invalid token.')
  return { accessToken: access_token, expiresAt: Date.now() + expires_in * 1_000 }
}

/** What the provider says about a failure, if it says something. */
export function describeProviderError(error: Error): string {
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown }
  return (
    [description, code, error.message].find((text): text is string => typeof text === 'string' && text !== '') ?? ''
  )
}
