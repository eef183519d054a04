import { type RawBuilder, sql } from 'kysely'

/** Whether an exception, an alias of the query, has not expired. */
export const isInForce = (exception: string): RawBuilder<boolean> => {
  const expiresAt = sql.ref(`${exception}.expires_at`)
  return sql<boolean>`(${expiresAt} is null or ${expiresAt} > now())`
}

/** Whether an exception in force covers a vulnerability on a computer. Both arguments are columns of the surrounding query. */
export function isCovered(vulnerabilityId: string, computerId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from vulnerability_exceptions exception
    where exception.vulnerability_id = ${sql.ref(vulnerabilityId)} and ${isInForce('exception')}
      and (exception.group_id is null and exception.computer_id is null
        or exception.computer_id = ${sql.ref(computerId)}
        or exception.group_id is not null and exists (
          select from effective_memberships member
            join group_ancestors above on above.descendant_id = member.group_id
          where member.computer_id = ${sql.ref(computerId)} and above.ancestor_id = exception.group_id)))`
}
