import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Webhooks as the API shows them. */
export function webhookRows(db: Database) {
  return db
    .selectFrom('webhooks')
    .select([
      'id',
      'name',
      'url',
      'types',
      'computer_id as computerId',
      'principal_id as principalId',
      'is_paused as isPaused',
      'pause_reason as pauseReason',
      sql<string>`position::text`.as('position'),
      'failures',
      'failing_since as failingSinceUtc',
      'next_attempt_at as nextAttemptAtUtc',
      'created_at as createdAtUtc',
    ])
}
