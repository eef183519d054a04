import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'

export const linkLifetimeMinutes = 10

/** Stores a link that signs in as the principal once, and returns its token. Only a keyed hash of the token is stored. */
export async function insertSignInLink(db: Database, keys: ServerKeys, principalId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.deleteFrom('sign_in_links').where('expires_at', '<=', sql<Date>`now()`).execute()
  await db
    .insertInto('sign_in_links')
    .values({
      token_hash: keys.hashSecret(token),
      principal_id: principalId,
      expires_at: sql<Date>`now() + make_interval(mins => ${linkLifetimeMinutes})`,
    })
    .execute()
  return token
}

/** Finds the principal of the link with this token. */
export async function findSignInLink(db: Database, keys: ServerKeys, token: string): Promise<number | undefined> {
  const link = await db
    .selectFrom('sign_in_links')
    .select('principal_id')
    .where('token_hash', '=', keys.hashSecret(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return link?.principal_id
}

/**
 * Deletes the link with this token and returns its principal. The deletion decides which of two requests uses the link,
 * on any node. Looking up a keyed hash reveals nothing about the token by the time it takes.
 */
export async function redeemSignInLink(db: Database, keys: ServerKeys, token: string): Promise<number | undefined> {
  const redeemed = await db
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', keys.hashSecret(token))
    .returning(['principal_id', sql<boolean>`expires_at > now()`.as('isValid')])
    .executeTakeFirst()
  return redeemed?.isValid ? redeemed.principal_id : undefined
}

/** The links of the principal stop working, because somebody else may have read one. */
export async function deleteSignInLinks(db: Database, principalId: number): Promise<void> {
  await db.deleteFrom('sign_in_links').where('principal_id', '=', principalId).execute()
}

export type LinkAddresses = {
  /** Where the service listens. */
  addresses: readonly string[]
  /** How others reach the service, if that is configured. */
  publicUrl: string | undefined
}

/**
 * The address of a link. Browsers do not send the part after the number sign, so no log and no proxy sees the token. With TLS,
 * the link works on any machine; in the clear, on this machine only. Undefined if neither is possible.
 */
export function findLinkAddress({ addresses, publicUrl }: LinkAddresses, token: string): string | undefined {
  const origins = addresses.map((address) => new URL(address)).filter(({ pathname }) => pathname === '/')
  const secure = origins.find(({ protocol }) => protocol === 'https:')
  const local = origins.find(({ protocol, hostname }) => protocol === 'http:' && localNames.has(hostname))
  const origin = (secure && secureOrigin(secure, publicUrl)) ?? (local && `http://${localHost(local)}`)
  return origin && `${origin}/admin/sign-in#link=${token}`
}

/** Browsers warn unless the name is the one in the certificate, which the public address has. */
function secureOrigin(listener: URL, publicUrl: string | undefined): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  const isAnyAddress = ['0.0.0.0', '[::]'].includes(listener.hostname)
  return `https://${isAnyAddress ? withPort(hostname(), listener) : listener.host}`
}

const localHost = (listener: URL) => withPort(localNames.get(listener.hostname) ?? '', listener)

const withPort = (name: string, { port }: URL) => (port ? `${name}:${port}` : name)

/** Where a service that listens at an address is reached on the same machine. */
const localNames = new Map([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['[::1]', '[::1]'],
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])
