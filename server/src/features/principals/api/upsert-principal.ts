import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { replaceRoles } from '../principals.ts'
import { identityPrincipal } from '../queries.ts'
import { PrincipalDto, UpsertPrincipalRequest } from './schemas.ts'

export const upsertPrincipal = operation({
  id: 'upsertPrincipal',
  route: 'POST /api/admin/principals',
  summary: 'Create or update the principal with this subject type, subject id and issuer',
  role: 'admin.manage',
  body: UpsertPrincipalRequest,
  returns: ok(PrincipalDto),
  async handle({ body, db }) {
    const subjectType = body.isUser ? 'user' : 'client'
    // One statement, so that the constraint on the key decides between create and update, whoever else is at it.
    const { rows } = await sql<{ id: number }>`
      with upserted as (
        insert into identity_principals (principal_id, subject_type, subject_id, issuer, display_name)
        values (nextval(pg_get_serial_sequence('principals', 'id')),
          ${subjectType}, ${body.subjectId}, ${body.issuer}, ${body.displayName})
        on conflict on constraint identity_principals_subject_key do update set display_name = excluded.display_name
        returning principal_id, subject_type
      ), ensured as (
        insert into principals (id, kind) overriding system value select principal_id, subject_type from upserted
        on conflict (id) do nothing
      )
      select principal_id as id from upserted`.execute(db)
    const [{ id } = { id: 0 }] = rows
    await replaceRoles(db, id, body.roles)
    return identityPrincipal(db, id)
  },
})
