import { randomBytes } from 'node:crypto'
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

/**
 * The address of a link. Browsers do not send the part after the number sign, so no log and no proxy sees the token.
 * Undefined if no address of the service can be reached in the clear on this machine.
 */
export function findLinkAddress(addresses: readonly string[], token: string): string | undefined {
  for (const address of addresses) {
    const { protocol, hostname, port, pathname } = new URL(address)
    const local = localNames.get(hostname)
    if (protocol === 'http:' && pathname === '/' && local)
      return `http://${local}${port && `:${port}`}/admin/sign-in#link=${token}`
  }
  return undefined
}

/** Where a service that listens at an address is reached on the same machine. */
const localNames = new Map([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['[::1]', '[::1]'],
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])
