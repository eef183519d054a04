import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { prepared } from '../../database/prepared-statements.ts'

export type Principal = {
  id: number
  kind: 'local' | 'client' | 'user'
  /** Client id of a local principal; display name or subject id of one of an identity provider. */
  name: string
  roles: ReadonlySet<string>
}

export type PrincipalDirectory = {
  /** The principal as it is now; undefined when it was deleted, is revoked or has expired. */
  find(id: number): Promise<Principal | undefined>
}

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

type Found = { id: number; kind: Principal['kind']; name: string; roles: string[] }

const foundPrincipals = prepared((db, ids: number[]) =>
  sql<Found>`
    select p.id, p.kind, coalesce(l.client_id, i.display_name, i.subject_id) as name,
      array(select r.role from principal_roles r where r.principal_id = p.id) as roles
    from principals p
      left join local_principals l on l.principal_id = p.id
      left join identity_principals i on i.principal_id = p.id
    where p.id = any(${ids})
      and l.is_revoked is not true
      and (l.expires_at is null or l.expires_at > now())`.compile(db),
)

async function activePrincipals(db: Database, ids: number[]): Promise<Map<number, Principal>> {
  const found = await foundPrincipals(db, ids)
  return new Map(found.map(({ roles, ...row }) => [row.id, { ...row, roles: new Set(roles) }]))
}
