import { sql } from 'kysely'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import type { Principal, PrincipalDirectory } from '../../platform/authentication/principals.ts'
import { activePrincipals, type PrincipalRow, toPrincipal } from './active-principals.ts'

/**
 * Reads principals and their roles from the database for every request, never from a cache: a change takes effect with
 * the next request on every node.
 */
export function openPrincipalDirectory(db: Database): PrincipalDirectory {
  const find = batchCalls({
    async run(ids: readonly number[]) {
      const principals = await findActivePrincipals(db, [...new Set(ids)])
      return ids.map((id) => principals.get(id))
    },
    isRepeatedWhenSlow: true,
  })
  return {
    find,
    async findSubject({ kinds, subjectId, issuer }, tx = db) {
      const { rows } = await sql<PrincipalRow>`
        select principal.id, principal.kind, principal.name, principal.roles from ${activePrincipals} principal
        where principal.subject_type = any(${kinds}) and principal.subject_id = ${subjectId}
          and principal.issuer = ${issuer}
        order by principal.subject_type desc limit 1`.execute(tx)
      return rows[0] && toPrincipal(rows[0])
    },
  }
}

/**
 * The same as `find` of the directory, in an open transaction. A transaction that waits for a second connection may wait for
 * others that do so as well.
 */
export async function findActivePrincipal(tx: Database, id: number): Promise<Principal | undefined> {
  return (await findActivePrincipals(tx, [id])).get(id)
}

const principalsById = preparedStatement((db, ids: number[]) =>
  sql<PrincipalRow>`
    select principal.id, principal.kind, principal.name, principal.roles from ${activePrincipals} principal
    where principal.id = any(${ids})`.compile(db),
)

async function findActivePrincipals(db: Database, ids: number[]): Promise<Map<number, Principal>> {
  const found = await principalsById(db, ids)
  return new Map(found.map((row) => [row.id, toPrincipal(row)]))
}
