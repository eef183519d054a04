import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isInForce } from './covered-computers.ts'

export function exceptionRows(db: Database) {
  return db
    .selectFrom('vulnerability_exceptions as exception')
    .innerJoin('vulnerabilities as v', 'v.id', 'exception.vulnerability_id')
    .select([
      'exception.id',
      'v.key as vulnerability',
      sql<'NotAffected' | 'Accepted' | 'FalsePositive'>`exception.status`.as('status'),
      'exception.reason',
      'exception.group_id as groupId',
      'exception.computer_id as computerId',
      'exception.approved_by as approvedBy',
      'exception.created_at as createdUtc',
      'exception.expires_at as expiresUtc',
      isInForce('exception').as('isInForce'),
    ])
}
