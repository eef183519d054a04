import { type AccessToken, createMusterClient, isSecureAddress, requestAccessToken } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { changeCredentials, type Profile } from './credentials-file.ts'
import { refreshProviderToken } from './provider-tokens.ts'

type Connection = Pick<Terminal, 'environment' | 'send' | 'limits'>

/** A service may be restarting. Other commands wait meanwhile, and would take a longer wait for that of a killed command. */
const retry = { deadlineMs: 20_000 }

/**
 * Gets another access token for a profile and stores it. Only one command does so at a time: a provider may end a sign-in whose
 * refresh token is used twice. `last` is the token that is no longer valid.
 */
export function renewToken(connection: Connection, name: string, last: AccessToken | undefined): Promise<AccessToken> {
  return changeCredentials(connection.environment, async ({ profiles }) => {
    const profile = profiles[name]
    if (!profile) throw new CommandFailure('Somebody has signed out. Run muster login again.')
    const isRenewed = profile.token?.accessToken !== last?.accessToken
    if (isRenewed && profile.token && profile.token.expiresAt > Date.now()) return profile.token
    const token = await requestProfileToken(profile, connection)
    profile.token = token
    return token
  })
}

function requestProfileToken(
  { address, clientId, clientSecret, provider }: Profile,
  connection: Connection,
): Promise<AccessToken> {
  if (clientId !== undefined && clientSecret !== undefined) {
    const insecure = !isSecureAddress(new URL(address))
    const limits = connection.limits ?? {}
    const { send } = createMusterClient({ address, send: connection.send, insecure, limits, retry })
    return requestAccessToken(address, { clientId, clientSecret }, { send, insecure, limits })
  }
  if (provider) return refreshProviderToken(provider)
  throw new UsageError(`The sign-in has expired. Run: muster login ${address}`)
}
