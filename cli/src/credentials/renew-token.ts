import { type AccessToken, createMusterClient, requestAccessToken, type Send } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'
import { changeCredentials, type Profile } from './credentials-file.ts'
import { refreshProviderToken } from './provider-tokens.ts'

type Connection = { environment: Record<string, string | undefined>; send: Send }

/** A service may be restarting. Other commands wait meanwhile, and would take a longer wait for that of a killed command. */
const retry = { deadlineMs: 20_000 }

/**
 * Gets another access token for a profile and stores it. Only one command does so at a time: a provider may end a sign-in whose
 * refresh token is used twice. `last` is the token that is no longer valid.
 */
export function renewToken(
  { environment, send }: Connection,
  name: string,
  last: AccessToken | undefined,
): Promise<AccessToken> {
  return changeCredentials(environment, async ({ profiles }) => {
    const profile = profiles[name]
    if (!profile) throw new CommandFailure('Somebody has signed out. Run muster login again.')
    const isRenewed = profile.token?.accessToken !== last?.accessToken
    if (isRenewed && profile.token && profile.token.expiresAt > Date.now()) return profile.token
    const token = await requestProfileToken(profile, send)
    profile.token = token
    return token
  })
}

function requestProfileToken({ address, clientId, clientSecret, provider }: Profile, send: Send): Promise<AccessToken> {
  if (clientId !== undefined && clientSecret !== undefined) {
    const client = createMusterClient({ address, send, retry })
    return requestAccessToken(address, { clientId, clientSecret }, client.send)
  }
  if (provider) return refreshProviderToken(provider)
  throw new UsageError(`The sign-in has expired. Run: muster login ${address}`)
}
