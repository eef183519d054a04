import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newSecret } from '../principals/principals.ts'

/** Creates a credential for the depot and returns it. The previous credential becomes invalid. */
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

/**
 * Ends the credentials of computers and returns those that had one. A computer whose role changes has none: otherwise a
 * credential that nobody remembers would work again with the role.
 */
export async function endDepotCredentials(db: Database, computerIds: readonly number[]): Promise<number[]> {
  const ended = await db
    .updateTable('depots')
    .set({ secret_hash: null })
    .where('computer_id', 'in', computerIds)
    .where('secret_hash', 'is not', null)
    .returning('computer_id')
    .execute()
  return ended.map(({ computer_id }) => computer_id)
}

/** Compared with the secret of an unknown depot so that it takes as long as for a known one. */
const placeholderHash = Buffer.alloc(32)

/** Finds the depot server with this credential. Reads the database for every request, so a revocation acts at once. */
export async function findDepotByCredential(
  db: Database,
  keys: ServerKeys,
  credential: string,
): Promise<number | undefined> {
  const [, id = '', secret = ''] = /^depot-(\d{1,9})\.([\w-]+)$/.exec(credential) ?? []
  const depot = await db
    .selectFrom('depots')
    .innerJoin('computers', 'computers.id', 'depots.computer_id')
    .select(['computers.id', 'depots.secret_hash'])
    .where('computers.id', '=', Number(id))
    .where('computers.role', '=', 'DepotServer')
    .executeTakeFirst()
  const isMatch = timingSafeEqual(keys.hashSecret(secret), depot?.secret_hash ?? placeholderHash)
  return depot && isMatch ? depot.id : undefined
}
