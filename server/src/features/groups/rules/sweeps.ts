import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { ComputerCondition } from './evaluate-rules.ts'

/** How many computers of the fleet one statement looks at. */
const sliceSize = 10_000

/**
 * Each rule is evaluated for the whole fleet once an hour, and when it was set: for what no trigger reports, such as a tag
 * that was renamed or a group that is no longer frozen.
 */
const isDue = sql<boolean>`
  rule.stopped_at is null and own.kind in ('System', 'Ordinary')
  and (rule.swept_to > 0 or rule.swept_at is null or rule.swept_at < now() - interval '1 hour')`

export const isSweepDue = sql<boolean>`exists (
  select from group_rules rule join groups own on own.id = rule.group_id where ${isDue})`

export type Sweep = {
  groupId: string
  computers: ComputerCondition
  /** The last computer of the slice; null if the fleet has no more. */
  lastId: number | null
}

/** The next slice: of the rule that is being looked at, or of the one that has waited most. */
export async function nextSweep(db: Database): Promise<Sweep | undefined> {
  const { rows } = await sql<{ groupId: string; firstId: number; lastId: number | null }>`
    select due.group_id as "groupId", due.swept_to as "firstId", (
      select max(computer_id) from (
        select computer_id from computer_summaries where computer_id > due.swept_to
        order by computer_id limit ${sliceSize}) as slice) as "lastId"
    from (
      select rule.group_id, rule.swept_to from group_rules rule join groups own on own.id = rule.group_id
      where ${isDue} order by rule.swept_to desc, rule.swept_at nulls first, rule.group_id limit 1
    ) as due`.execute(db)
  return rows.map(
    ({ groupId, firstId, lastId }): Sweep => ({
      groupId,
      lastId,
      computers: (id) => sql`(${id} > ${firstId} and ${id} <= ${lastId ?? firstId})`,
    }),
  )[0]
}

export async function recordSweep(db: Database, { groupId, lastId }: Sweep): Promise<void> {
  await sql`
    update group_rules set swept_to = ${lastId ?? 0}::integer,
      swept_at = case when ${lastId === null}::boolean then now() else swept_at end
    where group_id = ${groupId}`.execute(db)
}
