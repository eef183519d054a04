import type { AccessToken } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import type { ProviderSignIn } from './credentials-file.ts'
import { requireAudience } from './token-audience.ts'

// Loaded only here: most commands use a token that they have.
const load = async () => ({ ...(await import('openid-client')), ...(await import('./provider-discovery.ts')) })

/** Gets another access token of an identity provider. The sign-in gets the new refresh token, if there is one. */
export async function refreshProviderToken(signIn: ProviderSignIn): Promise<AccessToken> {
  if (signIn.refreshToken === null) throw new CommandFailure('The sign-in has expired. Run muster login again.')
  const { describeProviderError, discoverProvider, refreshTokenGrant, toAccessToken } = await load()
  const provider = await discoverProvider(signIn)
  const answer = await refreshTokenGrant(provider, signIn.refreshToken, signIn.parameters).catch((error: Error) => {
    throw new CommandFailure(`The sign-in has ended: ${describeProviderError(error)}. Run muster login again.`)
  })
  requireAudience(answer.access_token, signIn.audience)
  signIn.refreshToken = answer.refresh_token ?? signIn.refreshToken
  return toAccessToken(answer)
}

/** Ends a sign-in at the provider, if the provider supports it. */
export async function revokeSignIn(signIn: ProviderSignIn): Promise<void> {
  if (signIn.refreshToken === null) return
  const { discoverProvider, tokenRevocation } = await load()
  const provider = await discoverProvider(signIn)
  if (provider.serverMetadata().revocation_endpoint)
    await tokenRevocation(provider, signIn.refreshToken, { token_type_hint: 'refresh_token' })
}
