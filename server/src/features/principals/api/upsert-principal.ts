import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { replaceRoles } from '../principals.ts'
import { requireIdentityPrincipal } from '../read-principals.ts'
import { PrincipalDto, UpsertPrincipalRequest } from './schemas.ts'

export const upsertPrincipal = operation({
  id: 'upsertPrincipal',
  route: 'POST /api/admin/principals',
  summary: 'Create or update a principal of an identity provider',
  description:
    'Subject type (`isUser`), subject id and issuer identify the principal. If it exists, its display name and roles are replaced; otherwise it is created.',
  role: 'admin.manage',
  body: UpsertPrincipalRequest,
  returns: ok(PrincipalDto),
  async handle({ body, db }) {
    const subjectType = body.isUser ? 'user' : 'client'
    // One statement: the unique constraint decides between insert and update, even if two requests arrive at once.
    const { rows } = await sql<{ id: number }>`
      with upserted as (
        insert into identity_principals (principal_id, subject_type, subject_id, issuer, display_name)
        values (nextval(pg_get_serial_sequence('principals', 'id')),
          ${subjectType}, ${body.subjectId}, ${body.issuer}, ${body.displayName})
        on conflict on constraint identity_principals_subject_key do update set display_name = excluded.display_name
        returning principal_id, subject_type
      ), ensured_principal as (
        insert into principals (id, kind) overriding system value select principal_id, subject_type from upserted
        on conflict (id) do nothing
      )
      select principal_id as id from upserted`.execute(db)
    const [{ id } = { id: 0 }] = rows
    await replaceRoles(db, id, body.roles)
    return requireIdentityPrincipal(db, id)
  },
})
