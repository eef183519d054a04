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

const isHourOver = sql<boolean>`group_rules.hour_began_at <= now() - interval '1 hour'`

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

/**
 * How often a rule moves one computer within an hour. What a computer reports about itself may change as often as its agent
 * likes, and each move is work for the service and may withdraw work of the computer.
 */
export const maxMovesPerComputer = 4

/** A computer that comes and goes too often: it stays where it is until the hour is over. */
export const isRestless = sql<boolean>`change.changes > ${sql.lit(maxMovesPerComputer)}`

/** Rows of `group_rule_changes` that count, as what follows `from`. */
export const changesInHour = sql`
  group_rule_changes change join group_rules
    on group_rules.group_id = change.group_id and group_rules.hour_began_at = change.hour_began_at and not ${isHourOver}`

/** How often each rule has moved each of the computers in the current hour, by the ids of group and computer. */
export async function listEarlierChanges(
  db: Database,
  groupIds: readonly string[],
  computerIds: readonly number[],
): Promise<(groupId: string, computerId: number) => number> {
  const { rows } = await sql<{ id: string; changes: Record<number, number> }>`
    select change.group_id as id, jsonb_object_agg(change.computer_id, change.changes) as changes from ${changesInHour}
    where change.group_id = any(${groupIds}::uuid[]) and change.computer_id = any(${computerIds}::integer[])
    group by change.group_id`.execute(db)
  const changesByGroup = new Map(rows.map(({ id, changes }) => [id, changes]))
  return (groupId, computerId) => changesByGroup.get(groupId)?.[computerId] ?? 0
}

/** Counts a move of each of the computers, `added` of which were not moved earlier in the hour. */
export async function recordRuleChanges(
  db: Database,
  { id }: ActiveRule,
  computerIds: readonly number[],
  added: number,
): Promise<void> {
  await sql`
    with hour as materialized (
      update group_rules set changes_in_hour = ${added}::integer + case when ${isHourOver} then 0 else changes_in_hour end,
        hour_began_at = case when ${isHourOver} then now() else hour_began_at end
      where group_id = ${id} returning hour_began_at
    ), purged as (
      delete from group_rule_changes former using hour
      where former.group_id = ${id} and former.hour_began_at <> hour.hour_began_at
        and former.computer_id <> all(${computerIds}::integer[])
    )
    insert into group_rule_changes as known (group_id, computer_id, hour_began_at)
    select ${id}::uuid, moved.id, hour.hour_began_at
    from hour cross join unnest(${computerIds}::integer[]) as moved (id) order by moved.id
    on conflict on constraint group_rule_changes_pkey do update set hour_began_at = excluded.hour_began_at,
      changes = case when known.hour_began_at = excluded.hour_began_at then known.changes + 1 else 1 end`.execute(db)
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
