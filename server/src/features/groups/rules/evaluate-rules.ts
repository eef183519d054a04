import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { RuleCriteria } from '../api/rule-schemas.ts'
import { computersOfRules, type KnownRule } from './computers-of-rules.ts'

/** A rule as a row: `key` identifies it in the result, and `group_id` is null for a group that does not exist yet. */
type RuleRow = { key: string; group_id: string | null; is_exclusive: boolean; criteria: unknown }

/** Computers that the rule has to add, to remove, or would add if they were not in another configuration group. */
export type RuleEffect = 'Join' | 'Leave' | 'Blocked'

export type EvaluatedMember = { key: string; computerId: number; effect: RuleEffect }

/** Stored rules, for `evaluateRules`. */
export const storedRules = (groupIds: readonly string[]): RawBuilder<RuleRow> => sql`
  select rule.group_id::text as key, rule.group_id, own.is_exclusive, rule.criteria
  from group_rules rule join groups own on own.id = rule.group_id
  where rule.group_id = any (${groupIds}::uuid[])`

/** A group whose rule is known, for `evaluateFleet`. */
export const groupWithRule = (groupId: string, criteria: RuleCriteria): FleetRules => ({
  rows: sql`
    select ${groupId}::text as key, own.id as group_id, own.is_exclusive, ${JSON.stringify(criteria)}::jsonb as criteria
    from groups own where own.id = ${groupId}::uuid`,
  known: [{ key: groupId, criteria }],
})

/** A condition on a column with the ids of computers. */
export type ComputerCondition = (column: RawBuilder<number>) => RawBuilder<boolean>

type EvaluatedRows = RawBuilder<{ key: string; computer_id: number; effect: RuleEffect }>

/**
 * Selects the members among a part of the fleet that differ from what the rules say: one row per rule and computer. Each
 * computer is compared with each rule.
 */
export function evaluateRules(rules: RawBuilder<RuleRow>, computers: ComputerCondition): EvaluatedRows {
  return selectDifferences(
    rules,
    sql`
      select rule.key, rule.group_id, rule.is_exclusive, summary.computer_id
      from rule cross join computer_summaries summary
      where ${computers(sql.ref('summary.computer_id'))} and ${matchesRule}`,
    computers,
  )
}

/** The rows of rules, and their criteria by the same keys. */
export type FleetRules = { rows: RawBuilder<RuleRow>; known: readonly KnownRule[] }

/** The same for the whole fleet. The cost grows with the number of computers that match, rather than with all pairs. */
export function evaluateFleet({ rows, known }: FleetRules): EvaluatedRows {
  return selectDifferences(
    rows,
    sql`
      select rule.key, rule.group_id, rule.is_exclusive, found.computer_id
      from (${computersOfRules(known)}) as found join rule on rule.key = found.key`,
    () => sql`true`,
  )
}

/**
 * Rows are looked up one by one, by scalar subqueries, which the planner never turns into a join. With old statistics, it
 * would compare each computer with each member.
 */
function selectDifferences(
  rules: RawBuilder<RuleRow>,
  matching: RawBuilder<unknown>,
  computers: ComputerCondition,
): EvaluatedRows {
  return sql`
    with rule as materialized (
      select source.key, source.group_id, source.is_exclusive, like_patterns(wanted.names) as names,
        like_patterns(wanted.domains) as domains, like_patterns(wanted."operatingSystems") as operating_systems,
        like_patterns(wanted.models) as models, valid_networks(wanted.networks) as networks,
        like_patterns(wanted.tags) as tags
      from (${rules}) as source cross join lateral jsonb_to_record(source.criteria) as wanted (
        names text[], domains text[], "operatingSystems" text[], models text[], networks text[], tags text[])
    )
    select matching.key, matching.computer_id,
      case when matching.is_exclusive and ${isInConfigurationGroup} then 'Blocked' else 'Join' end as effect
    from (${matching} offset 0) as matching
    where ${isNoMember} and ${isNotExcluded}
    union all
    select rule.key, member.computer_id, 'Leave' as effect
    from rule cross join lateral (
      select computer_id from group_computers
      where group_computers.group_id = rule.group_id and is_by_rule and ${computers(sql.ref('group_computers.computer_id'))}
      offset 0
    ) as member
    where not (select ${matchesRule} from computer_summaries summary where summary.computer_id = member.computer_id)`
}

/** Whether a row `summary` meets all criteria of a row `rule`, as in `computersOfRules`. Never null. */
const matchesRule = sql<boolean>`(
  (rule.names is null or summary.name_key like any (rule.names))
  and (rule.operating_systems is null
    or lower(coalesce(summary.operating_system, '')) like any (rule.operating_systems))
  and (rule.models is null or lower(coalesce(summary.model, '')) like any (rule.models))
  and (rule.networks is null or coalesce(summary.address_key <<= any (rule.networks), false))
  and (rule.domains is null
    or lower((select domain from computers where computers.id = summary.computer_id)) like any (rule.domains))
  and (rule.tags is null or exists (
    select from computer_tags tagging join tags on tags.id = tagging.tag_id
    where tagging.computer_id = summary.computer_id and lower(tags.designation) like any (rule.tags))))`

const isNoMember = sql<boolean>`(
  select member.computer_id from group_computers member
  where member.group_id = matching.group_id and member.computer_id = matching.computer_id) is null`

const isNotExcluded = sql<boolean>`(
  select excluded.computer_id from group_rule_exclusions excluded
  where excluded.group_id = matching.group_id and excluded.computer_id = matching.computer_id) is null`

const isInConfigurationGroup = sql<boolean>`(
  select other.group_id from group_computers other
  where other.computer_id = matching.computer_id and other.is_exclusive) is not null`

/** Lists the differences in the order of the computers. */
export async function listRuleEffects(db: Database, evaluated: EvaluatedRows): Promise<EvaluatedMember[]> {
  const { rows } = await sql<EvaluatedMember>`
    select key, computer_id as "computerId", effect from (${evaluated}) as changed
    order by computer_id, key`.execute(db)
  return rows
}

/** The computers with one of the effects, in the order of the list. */
export const computersWith = (effect: RuleEffect, members: readonly EvaluatedMember[]): number[] =>
  members.filter((member) => member.effect === effect).map(({ computerId }) => computerId)
