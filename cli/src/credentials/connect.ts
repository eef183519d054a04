import { createMusterClient, type MusterClient, requestAccessToken } from '@muster/client'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { changeCredentials, type Profile, readCredentials } from './credentials-file.ts'
import { refreshProviderToken } from './provider-tokens.ts'

export type ProfileChoice = { profile?: string | undefined }

const defaultAddress = 'http://127.0.0.1:5057'

/** A client with the credentials of the environment, otherwise of the profile. */
export async function connect(terminal: Terminal, choice: ProfileChoice): Promise<MusterClient> {
  const { environment, send } = terminal
  const { MUSTER_URL, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: clientSecret } = environment
  if (clientId && clientSecret && !choice.profile)
    return createMusterClient({ address: MUSTER_URL ?? defaultAddress, credentials: { clientId, clientSecret }, send })
  const { name, profile } = await findProfile(terminal, choice)
  return createMusterClient({
    address: profile.address,
    send,
    credentials: {
      first: profile.token,
      request: () => requestProfileToken(profile),
      onToken: (token) =>
        changeCredentials(environment, ({ profiles }) => {
          const stored = profiles[name]
          if (stored) Object.assign(stored, { token, ...(profile.provider && { provider: profile.provider }) })
        }),
    },
  })
}

/** The profile that was chosen, or the one of the last sign-in. */
async function findProfile(terminal: Terminal, choice: ProfileChoice): Promise<{ name: string; profile: Profile }> {
  const { current, profiles } = await readCredentials(terminal.environment)
  const name = choice.profile ?? terminal.environment.MUSTER_PROFILE ?? current
  const profile = name === null ? undefined : profiles[name]
  if (name !== null && profile) return { name, profile }
  if (name === null) throw new UsageError('Nobody has signed in. Run: muster login ADDRESS')
  const known = Object.keys(profiles).join(', ') || 'none'
  throw new UsageError(`There is no profile "${name}". Profiles: ${known}`)
}

function requestProfileToken({ address, clientId, clientSecret, provider }: Profile) {
  if (clientId !== undefined && clientSecret !== undefined)
    return requestAccessToken(address, { clientId, clientSecret })
  if (provider) return refreshProviderToken(provider)
  throw new UsageError(`The sign-in has expired. Run: muster login ${address}`)
}
