import { createMusterClient, type MusterClient } from '@muster/client'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { parseAddress } from './address.ts'
import { type Profile, readCredentials } from './credentials-file.ts'
import { failAtFirstContact } from './first-contact.ts'
import { renewToken } from './renew-token.ts'

export type ProfileChoice = { profile?: string | undefined }

const defaultAddress = 'http://127.0.0.1:5057'

/** A client with the credentials of the environment, otherwise of the profile. */
export async function connect(terminal: Terminal, choice: ProfileChoice): Promise<MusterClient> {
  const { environment, signal } = terminal
  const send = failAtFirstContact(terminal.send)
  const { MUSTER_URL, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: clientSecret } = environment
  if (clientId && clientSecret && !choice.profile)
    return createMusterClient({
      address: parseAddress(MUSTER_URL || defaultAddress),
      credentials: { clientId, clientSecret },
      send,
      signal,
    })
  const { name, profile } = await findProfile(terminal, choice)
  // Nobody should change one service and mean another.
  if (MUSTER_URL && !choice.profile && parseAddress(MUSTER_URL) !== profile.address)
    throw new UsageError(
      `MUSTER_URL is ${MUSTER_URL}, but the sign-in "${name}" is for ${profile.address}. ` +
        'Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET too, or name the sign-in with --profile.',
    )
  let last = profile.token
  return createMusterClient({
    address: profile.address,
    send,
    signal,
    credentials: {
      first: last,
      request: async () => {
        last = await renewToken({ environment, send }, name, last)
        return last
      },
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
