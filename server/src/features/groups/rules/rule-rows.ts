import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import type { GroupRule, RuleCriteria } from '../api/rule-schemas.ts'
import { givesSecrets, warnAboutRule } from './reported-properties.ts'
import { changesInHour, isRestless } from './rule-limits.ts'

type Row = {
  groupId: string
  criteria: RuleCriteria | null
  maxChangesPerHour: number | null
  stoppedAtUtc: Date | null
  joining: number | null
  leaving: number | null
  membersByRule: number
  excludedComputers: number
  restlessComputers: number
  givesSecrets: boolean
}

/** The rule of a group that exists, with the properties of the API. */
export async function readGroupRule(db: Database, groupId: string): Promise<Static<typeof GroupRule>> {
  const { rows } = await sql<Row>`
    select ${groupId}::text as "groupId", rule.criteria, rule.max_changes_per_hour as "maxChangesPerHour",
      rule.stopped_at as "stoppedAtUtc", rule.stopped_joining as joining, rule.stopped_leaving as leaving,
      (select count(*) from group_computers where group_id = ${groupId} and is_by_rule)::integer as "membersByRule",
      (select count(*) from group_rule_exclusions excluded where excluded.group_id = ${groupId} and not exists (
        select from group_computers member
        where member.group_id = excluded.group_id and member.computer_id = excluded.computer_id
      ))::integer as "excludedComputers",
      (select count(*) from ${changesInHour} where change.group_id = ${groupId} and ${isRestless})::integer
        as "restlessComputers",
      ${givesSecrets(groupId)} as "givesSecrets"
    from (select) as one left join group_rules rule on rule.group_id = ${groupId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An outer join of one row returns one row.')
  const { givesSecrets: hasSecrets, ...rule } = row
  return {
    ...rule,
    state: rule.criteria === null ? 'None' : rule.stoppedAtUtc === null ? 'Active' : 'Stopped',
    warning: warnAboutRule(rule.criteria, hasSecrets),
  }
}

/** One spelling for equal criteria: sorted, and each value once. */
export function normaliseCriteria(criteria: RuleCriteria): RuleCriteria {
  const entries = Object.entries(criteria).map(([name, values]) => [name, [...new Set(values)].sort()] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Those of the texts that are not networks. */
export async function listInvalidNetworks(db: Database, { networks = [] }: RuleCriteria): Promise<string[]> {
  if (networks.length === 0) return []
  const { rows } = await sql<{ network: string }>`
    select network from unnest(${networks}::text[]) as listed (network) where valid_address(network) is null`.execute(
    db,
  )
  return rows.map(({ network }) => network)
}
