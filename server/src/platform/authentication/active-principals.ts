import { sql } from 'kysely'

export type Principal = {
  id: number
  kind: 'local' | 'client' | 'user'
  /** Client id of a local principal; display name or subject id of one of an identity provider. */
  name: string
  roles: ReadonlySet<string>
}

export type PrincipalRow = Omit<Principal, 'roles'> & { roles: string[] }

/** What a statement about `principalTables` selects. */
export const principalColumns = sql`
  p.id, p.kind, coalesce(l.client_id, i.display_name, i.subject_id) as name,
  array(select r.role from principal_roles r where r.principal_id = p.id) as roles`

export const principalTables = sql`
  principals p
    left join local_principals l on l.principal_id = p.id
    left join identity_principals i on i.principal_id = p.id`

/** The condition without which a principal may do nothing. */
export const isActive = sql`l.is_revoked is not true and (l.expires_at is null or l.expires_at > now())`

export function principalOf({ id, kind, name, roles }: PrincipalRow): Principal {
  return { id, kind, name, roles: new Set(roles) }
}
