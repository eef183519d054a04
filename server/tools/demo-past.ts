import type { ConnectedDatabase } from '../src/database/connect.ts'
import { recordFleetHistory } from '../src/features/fleet-history/record-history.ts'
import { refreshFleetStatistics } from '../src/features/issues/fleet-statistics.ts'

/** What the demo knows about its fleet, and the past is made up from. */
export type DemoPast = {
  silentComputers: readonly number[]
  withheldPackage: string
}

type Statement = { text: string; values: unknown[] }

/**
 * Moves events of the demo into the past, and makes up the history of its fleet. Neither the API nor the agent channel accepts
 * such times, so this is the only place where the demo writes to the database.
 */
export async function writeDemoPast({ db, pool }: ConnectedDatabase, past: DemoPast): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { text, values } of backdatingStatements(past)) await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release(true)
  }
  // Samples the fleet as it is, unless the service is doing so.
  await refreshFleetStatistics(db)
  await recordFleetHistory(db)
  await pool.query(historyStatement)
}

/**
 * Silent computers made their last contact one to forty days ago, evenly spread over the list: each fleet has recent and old
 * ones, whatever their ids are. Deployments of the withheld package have been pending for days.
 */
function backdatingStatements({ silentComputers, withheldPackage }: DemoPast): Statement[] {
  return [
    {
      text: `update computer_contacts
        set last_seen_at = now() - (1.2 + 39 * silent.place / cardinality($1::int[])) * interval '1 day'
        from unnest($1::int[]) with ordinality as silent (id, place) where computer_id = silent.id`,
      values: [silentComputers],
    },
    {
      text: `update computers set inventory_at = contact.last_seen_at from computer_contacts contact
        where contact.computer_id = computers.id and computers.id = any($1) and inventory_at is not null`,
      values: [silentComputers],
    },
    {
      text: `update agents set boot_at = boot_at - interval '40 days', enrolled_at = now() - interval '60 days'
        where computer_id = any($1)`,
      values: [silentComputers],
    },
    {
      text: `update deployments set pending_since = now() - (2 + computer_id % 9) * interval '1 day'
        from packages where packages.id = package_id and packages.name = $1 and pending_since is not null`,
      values: [withheldPackage],
    },
    {
      text: `update work set created_at = now() - (2 + computer_id % 9) * interval '1 day'
        from packages where packages.id = package_id and packages.name = $1`,
      values: [withheldPackage],
    },
    {
      // On some computers, people have removed or replaced software again and again.
      text: `insert into software_drifts
          (computer_id, package_id, kind, product_name, product_version, found_version, found_at, due_at)
        select computer_id, package_id, case when (computer + place) % 2 = 0 then 'Replaced' else 'Removed' end, name, version,
          case when (computer + place) % 2 = 0 then '1.8.0' end, now() - place * interval '3 days', now() - place * interval '3 days'
        from (
          select deployment.computer_id, deployment.package_id, packages.name, packages.version,
            row_number() over (order by deployment.computer_id, deployment.package_id) as computer
          from deployments deployment
            join packages on packages.id = deployment.package_id and packages.kind = 'Software'
          where deployment.installation_state = 'Installed' order by deployment.computer_id, deployment.package_id limit 3
        ) as installed cross join generate_series(1, 3) as place
        order by place desc`,
      values: [],
    },
    {
      text: `update deployments set installed_at = installed_at - computer_id % 14 * interval '1 day' where result = 'Success'`,
      values: [],
    },
    {
      text: `update distribution_events event set logged_at = logged_at - event.computer_id % 14 * interval '1 day'
        from deployments deployment
        where deployment.computer_id = event.computer_id and deployment.package_id = event.package_id
          and deployment.result = 'Success'`,
      values: [],
    },
    // What was counted before the fleet was complete is not its past.
    { text: 'delete from fleet_history', values: [] },
  ]
}

/**
 * Makes up the last 30 days of the fleet from its current sample: it grew, fewer computers report at weekends, and patches
 * are missing until they are installed, again and again. The same hour always gets the same numbers.
 */
const historyStatement = `
  insert into fleet_history (metric, subject, resolution, period, sampled_at, counts)
  select sample.metric, sample.subject, sample.resolution, past.period, past.period + interval '1 minute', (
      select coalesce(jsonb_object_agg(key, round(value::numeric * (case
        when sample.metric in ('missingPatches', 'patchAge') then 0.7 + 0.5 * (1 - past.days % 14 / 14.0)
        when sample.metric = 'packageVersions' then 1 - past.days / 40.0
        when key in ('withFailures', 'Failed') then 0.6 + 0.4 * sin(past.days * 0.9)
        when key in ('reporting', 'Reporting') and extract(isodow from past.period) > 5 then 0.75
        else 1
      end * (1 - past.days * 0.006) + case
        when key = 'total' or sample.metric in ('health', 'operatingSystems') then 0
        else hashtext(key || past.period) % 100 / 4000.0
      end)::numeric)), '{}')
      from jsonb_each(sample.counts))
  from fleet_history sample
    cross join lateral (
      select sample.period - number * ('1 ' || sample.resolution)::interval as period,
        number / case sample.resolution when 'Hour' then 24.0 else 1 end as days
      from generate_series(1, case sample.resolution when 'Hour' then 7 * 24 else 30 end) as number
    ) as past
  on conflict do nothing`
