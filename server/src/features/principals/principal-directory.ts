import { sql } from 'kysely'
import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import type { Principal, PrincipalDirectory, Subject } from '../../platform/authentication/principals.ts'
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
  const findSubject = batchCalls({
    run: (subjects: readonly Subject[]) => findActiveSubjects(db, subjects),
    isRepeatedWhenSlow: true,
  })
  return {
    find,
    findSubject: async (subject, tx) => (tx ? (await findActiveSubjects(tx, [subject]))[0] : findSubject(subject)),
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

const principalsBySubject = preparedStatement((db, subjects: string) =>
  sql<PrincipalRow & { position: number }>`
    select subject.position, found.* from jsonb_to_recordset(${subjects}::jsonb)
        as subject(position integer, kinds text[], "subjectId" text, issuer text)
      cross join lateral (
        select principal.id, principal.kind, principal.name, principal.roles from ${activePrincipals} principal
        where principal.subject_type = any(subject.kinds) and principal.subject_id = subject."subjectId"
          and principal.issuer = subject.issuer
        order by principal.subject_type desc limit 1
      ) as found`.compile(db),
)

async function findActiveSubjects(db: Database, subjects: readonly Subject[]): Promise<(Principal | undefined)[]> {
  const found = await principalsBySubject(
    db,
    JSON.stringify(subjects.map((subject, position) => ({ ...subject, position }))),
  )
  const byPosition = new Map(found.map((row) => [row.position, toPrincipal(row)]))
  return subjects.map((_, position) => byPosition.get(position))
}
