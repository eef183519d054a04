import type { AccessToken } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import type { ProviderSignIn } from './credentials-file.ts'

/** Gets another access token of an identity provider. The sign-in gets the new refresh token, if there is one. */
export async function refreshProviderToken(provider: ProviderSignIn): Promise<AccessToken> {
  if (provider.refreshToken === null) throw new CommandFailure('The sign-in has expired. Run muster login again.')
  const { discoverProvider, toAccessToken } = await import('./provider-discovery.ts')
  const { refreshTokenGrant } = await import('openid-client')
  const answer = await refreshTokenGrant(await discoverProvider(provider), provider.refreshToken).catch(
    (error: Error) => {
      throw new CommandFailure(`The sign-in has ended: ${error.message}. Run muster login again.`)
    },
  )
  provider.refreshToken = answer.refresh_token ?? provider.refreshToken
  return toAccessToken(answer)
}
