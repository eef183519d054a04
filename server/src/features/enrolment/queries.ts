import type { Database } from '../../database/connect.ts'
import { computerNotFound } from '../computers/computers.ts'
import { agentNotFound } from './api/problems.ts'

/** Enrolment tokens as the API shows them. */
export function enrolmentTokens(db: Database) {
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

/** Until when another agent may take over the computer; null for no longer. */
export async function allowReEnrolment(db: Database, clientId: number, until: Date | null): Promise<void> {
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
