import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { RuleCriteria } from '../../groups/api/rule-schemas.ts'
import type { KnownRule } from '../../groups/rules/computers-of-rules.ts'
import { evaluateFleet, type FleetRules } from '../../groups/rules/evaluate-rules.ts'
import { listInvalidNetworks } from '../../groups/rules/rule-rows.ts'
import type { StateChange } from './state-section.ts'

export type RuleMembers = { joining: number; leaving: number }

/** How many rules are evaluated in one statement, which has a select for each of them. */
const maxRulesPerStatement = 100

/** Counts the computers that would join and leave if the rules of the changes were set now. */
export async function countRuleMembers(
  db: Database,
  changes: readonly StateChange[],
): Promise<(change: StateChange) => RuleMembers | null> {
  const set = changes.flatMap(({ section, after }) =>
    section === 'groupRules' && after ? [{ key: after.key, criteria: after.fields.criteria as RuleCriteria }] : [],
  )
  const members = new Map<string, RuleMembers>()
  for (let from = 0; from < set.length; from += maxRulesPerStatement) {
    const known = set.slice(from, from + maxRulesPerStatement)
    const { rows } = await sql<RuleMembers & { path: string }>`
      select key as path, count(*) filter (where effect = 'Join')::integer as joining,
        count(*) filter (where effect = 'Leave')::integer as leaving
      from (${evaluateFleet({ rows: plannedRules(known), known })}) as changed group by key`.execute(db)
    for (const { path, joining, leaving } of rows) members.set(path, { joining, leaving })
  }
  return ({ section, after }) =>
    section === 'groupRules' && after ? (members.get(after.key) ?? { joining: 0, leaving: 0 }) : null
}

/** What prevents the rules of the changes, as sentences. The database decides what a network is, in one statement. */
export async function listRuleBlockers(
  db: Database,
  changes: readonly StateChange[],
): Promise<(change: StateChange) => string[]> {
  const networksOf = ({ section, after }: StateChange) =>
    section === 'groupRules' ? ((after?.fields.criteria as RuleCriteria | undefined)?.networks ?? []) : []
  const invalid = new Set(await listInvalidNetworks(db, { networks: changes.flatMap(networksOf) }))
  return (change) =>
    networksOf(change)
      .filter((network) => invalid.has(network))
      .map((network) => `${network} is not a network`)
}

/** A group that does not exist yet is exclusive if its tree is. */
const plannedRules = (rules: readonly KnownRule[]): FleetRules['rows'] => sql`
  select planned.key, own.id as group_id,
    coalesce(own.is_exclusive, root.tree = 'ConfigurationGroups', false) as is_exclusive, planned.criteria
  from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as planned (key text, criteria jsonb)
    left join groups own on lower(own.path) = planned.key
    left join groups root on root.parent_id is null and lower(root.path) = split_part(planned.key, '/', 1)`
