import { sql } from 'kysely'
import type { Role } from '../../../../platform/roles.ts'
import type { DesiredState } from '../../api/desired-state/document-schemas.ts'
import { requireDifferent } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

type Principal = NonNullable<DesiredState['principals']>[number]

type Details = { kind: 'user' | 'client'; subject: string; issuer: string | null; isProtected: boolean }

/**
 * The principals of identity providers, with their roles. Local principals are credentials that the service makes: they are
 * not part of the state.
 */
export const principalsSection: StateSection = {
  name: 'principals',
  property: 'principals',
  readRole: 'admin.manage',
  async readCurrent(db) {
    const { rows } = await sql<Principal & { id: number; isProtected: boolean; roles: Role[] }>`
      select principal.id, principal.is_protected as "isProtected", subject_type as kind, subject_id as subject, issuer,
        display_name as "displayName",
        array(select role from principal_roles assigned where assigned.principal_id = principal.id order by role) as roles
      from identity_principals identity join principals principal on principal.id = identity.principal_id
      order by subject_type, issuer nulls first, subject_id`.execute(db)
    return rows.map(({ id, isProtected, ...principal }) => ({ ...toObject(principal, isProtected), id }))
  },
  readDocument: ({ principals }) =>
    principals &&
    requireDifferent(
      'principals',
      principals.map((principal) => toObject(principal, false)),
    ),
  writeDocument(objects, document) {
    document.principals = objects.map(({ details, fields }) => {
      const { kind, subject, issuer } = details as Details
      const { displayName, roles } = fields as { displayName: string | null; roles: Role[] }
      return { kind, subject, issuer, ...(displayName !== null && { displayName }), roles }
    })
  },
  // They can only be deleted with force.
  isKept: ({ details }) => (details as Details).isProtected,
  toRequests: (changes) =>
    changes.map(({ before, after }) => {
      if (!after) return { operation: 'deletePrincipal', params: { id: before?.id } }
      const { kind, subject, issuer } = after.details as Details
      const { displayName, roles } = after.fields
      return {
        operation: 'upsertPrincipal',
        body: { isUser: kind === 'user', subjectId: subject, issuer, displayName, roles },
      }
    }),
}

function toObject(principal: Principal, isProtected: boolean): StateObject {
  const { kind, subject, issuer, displayName = null, roles } = principal
  return {
    // Identity providers distinguish capital and small letters.
    key: JSON.stringify([kind, issuer, subject]),
    name: displayName === null ? subject : `${displayName} (${subject})`,
    fields: { displayName, roles: [...new Set(roles)].sort() },
    details: { kind, subject, issuer, isProtected } satisfies Details,
  }
}
