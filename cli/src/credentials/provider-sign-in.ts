import type { Configuration, TokenEndpointResponse } from 'openid-client'
import { CommandFailure } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import type { Profile } from './credentials-file.ts'
import type { ProviderRequest } from './provider-choice.ts'
import { requireAudience } from './token-audience.ts'

export type Flow = 'device' | 'loopback'

/**
 * Signs in at an identity provider: with a code that the person enters on any device if the provider offers that, otherwise in
 * the browser of this computer.
 */
export async function signInAtProvider(
  terminal: Terminal,
  request: ProviderRequest,
  flow: Flow | undefined,
): Promise<Omit<Profile, 'address'>> {
  const { describeProviderError, discoverProvider, toAccessToken } = await import('./provider-discovery.ts')
  const provider = await discoverProvider(request)
  const answer = await requestToken(terminal, provider, request, flow).catch((error: Error) => {
    if (error instanceof CommandFailure || terminal.signal.aborted) throw error
    throw new CommandFailure(`The identity provider refused the sign-in: ${describeProviderError(error)}`)
  })
  requireAudience(answer.access_token, request.audience)
  const { issuer, clientId, scope, audience, parameters } = request
  return {
    provider: { issuer, clientId, scope, audience, parameters, refreshToken: answer.refresh_token ?? null },
    token: toAccessToken(answer),
  }
}

async function requestToken(
  terminal: Terminal,
  provider: Configuration,
  request: ProviderRequest,
  flow: Flow | undefined,
): Promise<TokenEndpointResponse> {
  const { requestDeviceCode, signInWithDevice } = await import('./device-sign-in.ts')
  const code = flow === 'loopback' ? undefined : await requestDeviceCode(provider, request)
  if (code) return signInWithDevice(terminal, provider, code, request)
  if (flow === 'device')
    throw new CommandFailure('The identity provider does not offer the device flow to this command.')
  const { signInWithBrowser } = await import('./browser-sign-in.ts')
  return signInWithBrowser(terminal, provider, request)
}
