import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { prepared } from '../../database/prepared-statements.ts'
import { shareStatements } from '../../database/shared-statements.ts'

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

/**
 * Rights are read from the database for every request, never from a cache, so that a change acts on the next request
 * on every node.
 */
export function openPrincipalDirectory(db: Database): PrincipalDirectory {
  const find = shareStatements({
    async run(ids: readonly number[]) {
      const principals = await activePrincipals(db, [...new Set(ids)])
      return ids.map((id) => principals.get(id))
    },
  })
  return { find }
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
