import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isInForce } from './covered-computers.ts'

/** What exceptions are for: a group, a computer, or the fleet without either. */
export type ExceptionScope = { groupId?: string | undefined; computerId?: number | undefined }

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
      'exception.package_name as package',
      'exception.package_platform as platform',
      'exception.package_version as packageVersion',
      'exception.approved_by as approvedBy',
      'exception.created_at as createdUtc',
      'exception.expires_at as expiresUtc',
      isInForce('exception').as('isInForce'),
    ])
}

/** Whether an exception covers all computers of a scope. */
export function coversAll({ groupId, computerId }: ExceptionScope): RawBuilder<boolean> {
  const isForFleet = sql<boolean>`exception.group_id is null and exception.computer_id is null`
  if (groupId !== undefined)
    return sql<boolean>`(${isForFleet} or exception.group_id in (
      select ancestor_id from group_ancestors where descendant_id = ${groupId}))`
  if (computerId === undefined) return isForFleet
  return sql<boolean>`(${isForFleet} or exception.computer_id = ${computerId} or exception.group_id in (
    select above.ancestor_id from effective_memberships member
      join group_ancestors above on above.descendant_id = member.group_id
    where member.computer_id = ${computerId}))`
}
