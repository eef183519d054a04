import { sql } from 'kysely'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import {
  isActive,
  type Principal,
  type PrincipalRow,
  principalColumns,
  principalOf,
  principalTables,
} from './active-principals.ts'

export type PrincipalDirectory = {
  /** The principal as it is now; undefined when it was deleted, is revoked or has expired. */
  find(id: number): Promise<Principal | undefined>
  /** The same, by what an identity provider says about somebody; of several kinds, a user comes first. */
  findSubject(subject: Subject): Promise<Principal | undefined>
}

export type Subject = { kinds: readonly Principal['kind'][]; subjectId: string; issuer: string }

/**
 * Rights are read from the database for every request, never from a cache, so that a change acts on the next request
 * on every node.
 */
export function openPrincipalDirectory(db: Database): PrincipalDirectory {
  const find = batchCalls({
    async run(ids: readonly number[]) {
      const principals = await activePrincipals(db, [...new Set(ids)])
      return ids.map((id) => principals.get(id))
    },
  })
  return {
    find,
    async findSubject({ kinds, subjectId, issuer }) {
      const { rows } = await sql<PrincipalRow>`
        select ${principalColumns} from ${principalTables}
        where i.subject_type = any(${kinds}) and i.subject_id = ${subjectId} and i.issuer = ${issuer} and ${isActive}
        order by i.subject_type desc limit 1`.execute(db)
      return rows[0] && principalOf(rows[0])
    },
  }
}

const foundPrincipals = preparedStatement((db, ids: number[]) =>
  sql<PrincipalRow>`
    select ${principalColumns} from ${principalTables} where p.id = any(${ids}) and ${isActive}`.compile(db),
)

async function activePrincipals(db: Database, ids: number[]): Promise<Map<number, Principal>> {
  const found = await foundPrincipals(db, ids)
  return new Map(found.map((row) => [row.id, principalOf(row)]))
}
