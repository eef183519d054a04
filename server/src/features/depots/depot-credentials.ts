import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newSecret } from '../principals/principals.ts'

/** Gives the depot a new credential; the one before ceases to be valid. */
export async function replaceDepotCredential(db: Database, keys: ServerKeys, clientId: number): Promise<string> {
  const secret = newSecret()
  const secret_hash = keys.hashSecret(secret)
  await db
    .insertInto('depots')
    .values({ computer_id: clientId, secret_hash })
    .onConflict((conflict) => conflict.column('computer_id').doUpdateSet({ secret_hash }))
    .execute()
  return `depot-${clientId}.${secret}`
}

const noSecret = Buffer.alloc(32)

/** The depot whose credential it is, as long as it is a depot server. Read for every request. */
export async function depotWithCredential(
  db: Database,
  keys: ServerKeys,
  credential: string,
): Promise<number | undefined> {
  const [, id = '', secret = ''] = /^depot-(\d{1,9})\.([\w-]+)$/.exec(credential) ?? []
  const known = await db
    .selectFrom('depots')
    .innerJoin('computers', 'computers.id', 'depots.computer_id')
    .select(['computers.id', 'depots.secret_hash'])
    .where('computers.id', '=', Number(id))
    .where('computers.role', '=', 'DepotServer')
    .executeTakeFirst()
  const matches = timingSafeEqual(keys.hashSecret(secret), known?.secret_hash ?? noSecret)
  return known && matches ? known.id : undefined
}
