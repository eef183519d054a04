import { createMusterClient, isSecureAddress, type MusterClient, type TokenSource } from '@muster/client'
import { checkAnswers } from '../api/check-answer.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { parseAddress, requireSecure, warnIfInsecure } from './address.ts'
import { type Profile, readCredentials } from './credentials-file.ts'
import { failAtFirstContact } from './first-contact.ts'
import { renewToken } from './renew-token.ts'

export type ProfileChoice = {
  profile?: string | undefined
  /** The person accepts an address without TLS. */
  insecure?: boolean
}

/** A client with the credentials of the environment, otherwise of the profile. */
export async function connect(rawTerminal: Terminal, choice: ProfileChoice): Promise<MusterClient> {
  const terminal = { ...rawTerminal, send: failAtFirstContact(rawTerminal.send) }
  const { environment } = terminal
  const { MUSTER_URL, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: clientSecret } = environment
  if (clientId && clientSecret && !choice.profile) {
    // No address is a good guess: anyone on this computer could listen there, and would get the secret.
    if (!MUSTER_URL) throw new UsageError('Set MUSTER_URL to the address of the service, which gets the secret.')
    return openClient(terminal, parseAddress(MUSTER_URL, choice.insecure), { clientId, clientSecret })
  }
  const { name, profile } = await findProfile(terminal, choice)
  // Nobody should change one service and mean another.
  if (MUSTER_URL && !choice.profile && parseAddress(MUSTER_URL, true) !== profile.address)
    throw new UsageError(
      `MUSTER_URL is ${MUSTER_URL}, but the sign-in "${name}" is for ${profile.address}. ` +
        'Set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET too, or name the sign-in with --profile.',
    )
  requireSecure(profile.address, choice.insecure === true || profile.insecure === true)
  let last = profile.token
  return openClient(terminal, profile.address, {
    first: last,
    request: async () => {
      last = await renewToken(terminal, name, last)
      return last
    },
  })
}

type Credentials = TokenSource | { clientId: string; clientSecret: string } | { accessToken: string }

/** A client of a service whose address the person has chosen, and whose answers are checked. */
export function openClient(terminal: Terminal, address: string, credentials: Credentials): MusterClient {
  const { send, signal, limits } = terminal
  warnIfInsecure(terminal, address)
  return checkAnswers(
    createMusterClient({
      address,
      credentials,
      send,
      insecure: !isSecureAddress(new URL(address)),
      signal,
      ...(limits && { limits }),
    }),
  )
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
