import { sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { fleetSample } from './history-samples.ts'

export const historyResolutions = ['Hour', 'Day'] as const

export type HistoryResolution = (typeof historyResolutions)[number]

export const hoursKeptDays = 90
export const daysKeptYears = 5

type Due = { resolution: HistoryResolution; period: Date }

/**
 * Records a sample of the current hour and of the current day, unless there is one already or another node is doing so.
 * Returns the number of rows. One transaction writes the whole sample: an hour has all metrics or none.
 *
 * The counts of the fleet are those of the statistics. If these are older than the period, the sample waits for the next
 * count: a period never gets numbers of another one.
 */
export async function recordFleetHistory(db: Database): Promise<number> {
  // Each statement reads what is committed: with one snapshot for all, it would be older than the lock, and what the node that
  // had the lock before has recorded would be recorded again.
  return db.transaction().execute(async (transaction) => {
    if (!(await tryLockForTransaction(transaction, 'fleetHistory'))) return 0
    const due = await listDuePeriods(transaction)
    if (due.length === 0) return 0
    await sql`select set_config('statement_timeout', '15min', true), set_config('jit', 'off', true)`.execute(
      transaction,
    )
    const { numAffectedRows = 0n } = await sql`
      with current as (select counts, patch_sla from fleet_statistics),
        due as (
          select * from unnest(${due.map(({ resolution }) => resolution)}::text[],
            ${due.map(({ period }) => period)}::timestamptz[]) as due (resolution, period)
        )
      insert into fleet_history (metric, subject, resolution, period, counts)
      select sample.metric, sample.subject, due.resolution, due.period, sample.counts
      from (${fleetSample}) as sample, due`.execute(transaction)
    await purgeFleetHistory(transaction)
    return Number(numAffectedRows)
  })
}

async function listDuePeriods(db: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select resolution, period
    from (values ('Hour', date_trunc('hour', now(), 'UTC')), ('Day', date_trunc('day', now(), 'UTC'))) as due (resolution, period)
    where exists (select from fleet_statistics where calculated_at >= due.period)
      and not exists (
        select from fleet_history
        where metric = 'computers' and resolution = due.resolution and period = due.period)`.execute(db)
  return rows
}

async function purgeFleetHistory(db: Database): Promise<void> {
  await sql`
    delete from fleet_history
    where period < now() - make_interval(days => ${hoursKeptDays}) and resolution = 'Hour'
      or period < now() - make_interval(years => ${daysKeptYears})`.execute(db)
}
