import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { prepared } from '../../database/prepared-statements.ts'
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

type Lookup = { id: number; settle: PromiseWithResolvers<Principal | undefined> }

/**
 * Rights are read from the database for every request, never from a cache, so that a change acts on the next request
 * on every node. Requests that arrive while a look-up is under way share the next one: under load, one statement
 * serves many requests, and none is served by a statement that began before it arrived.
 */
export function openPrincipalDirectory(db: Database): PrincipalDirectory {
  let waiting: Lookup[] = []
  let underWay = false

  async function serveWaiting(): Promise<void> {
    underWay = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await serve(db, batch)
    }
    underWay = false
  }

  return {
    find(id) {
      const settle = Promise.withResolvers<Principal | undefined>()
      waiting.push({ id, settle })
      if (!underWay) void serveWaiting()
      return settle.promise
    },
    async findSubject({ kinds, subjectId, issuer }) {
      const { rows } = await sql<PrincipalRow>`
        select ${principalColumns} from ${principalTables}
        where i.subject_type = any(${kinds}) and i.subject_id = ${subjectId} and i.issuer = ${issuer} and ${isActive}
        order by i.subject_type desc limit 1`.execute(db)
      return rows[0] && principalOf(rows[0])
    },
  }
}

async function serve(db: Database, batch: Lookup[]): Promise<void> {
  try {
    const principals = await activePrincipals(db, [...new Set(batch.map(({ id }) => id))])
    for (const { id, settle } of batch) settle.resolve(principals.get(id))
  } catch (error) {
    for (const { settle } of batch) settle.reject(error)
  }
}

const foundPrincipals = prepared((db, ids: number[]) =>
  sql<PrincipalRow>`
    select ${principalColumns} from ${principalTables} where p.id = any(${ids}) and ${isActive}`.compile(db),
)

async function activePrincipals(db: Database, ids: number[]): Promise<Map<number, Principal>> {
  const found = await foundPrincipals(db, ids)
  return new Map(found.map((row) => [row.id, principalOf(row)]))
}
