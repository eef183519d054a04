import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { allComputers, evaluateRules } from '../../groups/rules/evaluate-rules.ts'
import type { StateChange } from './state-section.ts'

export type RuleMembers = { joining: number; leaving: number }

/** Counts the computers that would join and leave if the rules of the changes were set now, in one statement. */
export async function countRuleMembers(
  db: Database,
  changes: readonly StateChange[],
): Promise<(change: StateChange) => RuleMembers | null> {
  const set = changes.flatMap(({ section, after }) =>
    section === 'groupRules' && after ? [{ path: after.key, criteria: after.fields.criteria }] : [],
  )
  if (set.length === 0) return () => null
  const { rows } = await sql<RuleMembers & { path: string }>`
    select key as path, count(*) filter (where effect = 'Join')::integer as joining,
      count(*) filter (where effect = 'Leave')::integer as leaving
    from (${evaluateRules(plannedRules(set), allComputers)}) as changed group by key`.execute(db)
  const members = new Map(rows.map(({ path, joining, leaving }) => [path, { joining, leaving }]))
  return ({ section, after }) =>
    section === 'groupRules' && after ? (members.get(after.key) ?? { joining: 0, leaving: 0 }) : null
}

/** A group that does not exist yet is exclusive if its tree is. */
const plannedRules = (rules: readonly { path: string; criteria: unknown }[]) => sql<{
  key: string
  group_id: string | null
  is_exclusive: boolean
  criteria: unknown
}>`
  select planned.path as key, own.id as group_id,
    coalesce(own.is_exclusive, root.tree = 'ConfigurationGroups', false) as is_exclusive, planned.criteria
  from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as planned (path text, criteria jsonb)
    left join groups own on lower(own.path) = planned.path
    left join groups root on root.parent_id is null and lower(root.path) = split_part(planned.path, '/', 1)`
