import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { waveScope } from '../rollouts/rollout-scope.ts'
import type { ConvergenceSetting } from './settings.ts'

/** Waves of the group within a day that no person has looked at, as `wave`. */
const unattendedWaves = (groupId: string) => sql`
  rollouts wave
  where wave.is_wave and wave.group_id = ${groupId} and wave.created_at > now() - interval '1 day'
    and wave.resumed_at <= wave.created_at and wave.state <> 'Cancelled'`

/**
 * Returns how many computers waves may reach within a day without a person if a wave with these computers would exceed the
 * limit, otherwise undefined. Computers that join one by one count together.
 */
export async function findExceededExpectation(
  db: Database,
  { groupId, expectedComputers, expectedPercent }: ConvergenceSetting,
  computerIds: readonly number[],
): Promise<number | undefined> {
  const { rows } = await sql<{ reached: number; members: number }>`
    select (
        select count(*) from (
          select placed.computer_id from rollout_computers placed
          where placed.rollout_id in (select wave.id from ${unattendedWaves(groupId)})
          union select unnest(${computerIds}::integer[])) as reached
      )::integer as reached,
      case when ${expectedPercent}::integer is null then 0
        else (select count(*) from (${waveScope(groupId).computers}) as members) end::integer as members`.execute(db)
  const { reached, members } = rows[0] ?? { reached: 0, members: 0 }
  const share = expectedPercent === null ? expectedComputers : Math.ceil((members * expectedPercent) / 100)
  const limit = Math.min(expectedComputers, share)
  return reached > limit ? limit : undefined
}

export type RemovalLimit = { limit: number; withinHours: number }

/**
 * Returns the limit that a wave would exceed if it removed software from these computers without an approval, otherwise undefined.
 * The setting of the group counts its computers within a day; the quota of programs counts those of all groups within an hour.
 */
export async function findExceededRemovals(
  db: Database,
  { groupId, maxRemovals }: ConvergenceSetting,
  computerIds: readonly number[],
): Promise<RemovalLimit | undefined> {
  const { rows } = await sql<{ removals: number; hourly: number; quota: number | null }>`
    select (
        select count(*) from (
          select unnest(wave.removal_computer_ids) from ${unattendedWaves(groupId)}
          union select unnest(${computerIds}::integer[])) as removals
      )::integer as removals, (
        select count(*) from (
          select unnest(wave.removal_computer_ids) from rollouts wave
          where wave.is_wave and wave.created_at > now() - interval '1 hour' and wave.resumed_at <= wave.created_at
            and wave.state <> 'Cancelled'
          union select unnest(${computerIds}::integer[])) as removals
      )::integer as hourly, api_quota as quota
    from installation`.execute(db)
  const { removals, hourly, quota } = rows[0] ?? { removals: 0, hourly: 0, quota: null }
  if (removals > maxRemovals) return { limit: maxRemovals, withinHours: 24 }
  return quota !== null && hourly > quota ? { limit: quota, withinHours: 1 } : undefined
}
