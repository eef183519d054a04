import { sql } from 'kysely'
import type { Principal } from '../../platform/authentication/principals.ts'

export type PrincipalRow = Omit<Principal, 'roles'> & { roles: string[] }

export type ActivePrincipalRow = PrincipalRow & {
  /** Set for local principals. */
  client_id: string | null
  /** Set for principals of identity providers, as are the following. */
  subject_type: string | null
  subject_id: string | null
  issuer: string | null
}

/** A subquery for `from`: the principals that are neither revoked nor expired. Others may do nothing. */
export const activePrincipals = sql<ActivePrincipalRow>`(
  select p.id, p.kind, coalesce(l.client_id, i.display_name, i.subject_id) as name,
    array(select r.role from principal_roles r where r.principal_id = p.id) as roles,
    l.client_id, i.subject_type, i.subject_id, i.issuer
  from principals p
    left join local_principals l on l.principal_id = p.id
    left join identity_principals i on i.principal_id = p.id
  where l.is_revoked is not true and (l.expires_at is null or l.expires_at > now()))`

export function toPrincipal({ id, kind, name, roles }: PrincipalRow): Principal {
  return { id, kind, name, roles: new Set(roles) }
}
