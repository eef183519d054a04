import type { Database } from '../../database/connect.ts'
import { computerNotFound } from '../computers/computers.ts'
import { agentNotFound } from './api/problems.ts'

/** Enrolment tokens in the form of the API. */
export function enrolmentTokenRows(db: Database) {
  return db
    .selectFrom('enrolment_tokens')
    .select([
      'id',
      'description',
      'group_id as groupId',
      'max_uses as maxUses',
      'uses',
      'created_at as createdAtUtc',
      'expires_at as expiresAtUtc',
      'revoked_at as revokedAtUtc',
    ])
}

/** Allows another agent to take over the computer until then; null withdraws the permission. */
export async function setReEnrolmentDeadline(db: Database, clientId: number, until: Date | null): Promise<void> {
  const changed = await db
    .updateTable('agents')
    .set({ re_enrolment_until: until })
    .where('computer_id', '=', clientId)
    .returning('computer_id')
    .executeTakeFirst()
  if (changed) return
  const computer = await db.selectFrom('computers').select('id').where('id', '=', clientId).executeTakeFirst()
  throw computer ? agentNotFound({ clientId }) : computerNotFound({ clientId })
}
