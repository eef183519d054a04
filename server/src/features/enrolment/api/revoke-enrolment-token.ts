import { sql } from 'kysely'
import { noContent, operation } from '../../../platform/operation.ts'
import { enrolmentTokenNotFound } from './problems.ts'
import { EnrolmentTokenPath } from './schemas.ts'

export const revokeEnrolmentToken = operation({
  id: 'revokeEnrolmentToken',
  route: 'DELETE /api/enrolment-tokens/:id',
  summary: 'Revoke an enrolment token',
  description:
    'Muster agents that have enrolled with it stay enrolled; agents of others that use it are shut out. Revoking a token again changes nothing.',
  role: 'admin.manage',
  params: EnrolmentTokenPath,
  returns: noContent,
  problems: [enrolmentTokenNotFound],
  extension: true,
  async handle({ params: { id }, db }) {
    const revoked = await db
      .updateTable('enrolment_tokens')
      .set({ revoked_at: sql`coalesce(revoked_at, now())` })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!revoked) throw enrolmentTokenNotFound({ id })
  },
})
