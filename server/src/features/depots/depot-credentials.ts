import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
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

const secretHashes = preparedStatement((db, clientIds: string) =>
  sql<{ id: number; secret_hash: Buffer }>`
    select computers.id, depots.secret_hash from depots join computers on computers.id = depots.computer_id
    where computers.id = any(array(select jsonb_array_elements_text(${clientIds}::jsonb)::integer))
      and computers.role = 'DepotServer'`.compile(db),
)

/** Read for every request so that a revocation acts at once. Concurrent requests share the statement. */
const findSecretHash = shareStatement((db) => ({
  async run(clientIds: readonly number[]) {
    const rows = await secretHashes(db, JSON.stringify(clientIds))
    const byClient = new Map(rows.map(({ id, secret_hash }) => [id, secret_hash]))
    return clientIds.map((clientId) => byClient.get(clientId))
  },
  isRepeatedWhenSlow: true,
}))

/** Compared with the secret of an unknown depot so that it takes as long as for a known one. */
const placeholderHash = Buffer.alloc(32)

/** Finds the depot server with this credential. */
export async function findDepotByCredential(
  db: Database,
  keys: ServerKeys,
  credential: string,
): Promise<number | undefined> {
  const [, id, secret] = /^depot-(\d{1,9})\.([\w-]+)$/.exec(credential) ?? []
  if (id === undefined || secret === undefined) return undefined
  const stored = await findSecretHash(db, Number(id))
  const isMatch = timingSafeEqual(keys.hashSecret(secret), stored ?? placeholderHash)
  return stored && isMatch ? Number(id) : undefined
}
