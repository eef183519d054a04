import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

export type ActiveRule = {
  /** The id of the group. */
  id: string
  name: string
  is_exclusive: boolean
  /** How many computers may still join and leave in the current hour. */
  allowed: number
}

const isHourOver = sql<boolean>`hour_began_at <= now() - interval '1 hour'`

/** Locks the rules that are in effect: not those that have stopped, nor those of EOL and Restore groups. */
export async function lockActiveRules(db: Database): Promise<ActiveRule[]> {
  const { rows: groups } = await sql<{ id: string; name: string; is_exclusive: boolean }>`
    select own.id, own.name, own.is_exclusive from groups own join group_rules rule on rule.group_id = own.id
    where own.kind in ('System', 'Ordinary')
    order by own.id for key share of own`.execute(db)
  const { rows } = await sql<{ id: string; allowed: number }>`
    select group_id as id, max_changes_per_hour - case when ${isHourOver} then 0 else changes_in_hour end as allowed
    from group_rules where group_id = any (${groups.map(({ id }) => id)}::uuid[]) and stopped_at is null
    order by group_id for update`.execute(db)
  const allowed = new Map(rows.map((rule) => [rule.id, rule.allowed]))
  return groups.flatMap((group) => {
    const left = allowed.get(group.id)
    return left === undefined ? [] : [{ ...group, allowed: left }]
  })
}

export async function recordRuleChanges(db: Database, { id }: ActiveRule, changed: number): Promise<void> {
  await sql`
    update group_rules set changes_in_hour = ${changed}::integer + case when ${isHourOver} then 0 else changes_in_hour end,
      hour_began_at = case when ${isHourOver} then now() else hour_began_at end
    where group_id = ${id}`.execute(db)
}

/** Nothing changes any more until somebody sets the rule again. */
export async function stopRule(
  db: Database,
  { id }: ActiveRule,
  { joining, leaving }: { joining: number; leaving: number },
): Promise<void> {
  await sql`
    update group_rules set stopped_at = now(), stopped_joining = ${joining}::integer, stopped_leaving = ${leaving}::integer
    where group_id = ${id}`.execute(db)
}
