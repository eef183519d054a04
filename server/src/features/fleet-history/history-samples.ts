import { type RawBuilder, sql } from 'kysely'
import { missingPatches } from '../patches/missing-patches.ts'
import { workChanges } from './work-changes.ts'

/** What the history of the fleet records. */
export const historyMetrics = [
  'computers',
  'health',
  'agentStatus',
  'operatingSystems',
  'issues',
  'deploymentStatus',
  'workState',
  'missingPatches',
  'patchAge',
  'patchSla',
  'packageVersions',
] as const

export type HistoryMetric = (typeof historyMetrics)[number]

type SampleRow = { metric: HistoryMetric; subject: string; counts: unknown }

const rowOf = (metric: HistoryMetric, counts: RawBuilder<unknown>) => sql`
  select ${sql.lit(metric)}::text as metric, ''::text as subject, ${counts} as counts`

/** Turns a list of objects with a name and a count into one object. The name may be null. */
const byName = (list: string, name: string) => sql`(
  select coalesce(jsonb_object_agg(coalesce(entry ->> ${sql.lit(name)}, 'Unknown'), entry -> 'count'), '{}')
  from jsonb_array_elements(current.counts -> ${sql.lit(list)}) as entry)`

const computers = sql`(
  select jsonb_build_object('total', current.counts -> 'computers',
    'reporting', current.counts #> '{agentStatus,Reporting}', 'silent', current.counts #> '{agentStatus,Silent}',
    'withFailures', (
      select entry -> 'count' from jsonb_array_elements(current.counts -> 'issues') as entry
      where entry ->> 'issue' = 'failed-deployment')))`

const workByState = sql`(
  select jsonb_build_object('Due', coalesce(sum(due), 0), 'Leased', coalesce(sum(leased), 0),
    'Success', coalesce(sum(success), 0), 'Failed', coalesce(sum(failed), 0), 'Cancelled', coalesce(sum(cancelled), 0))
  from ${workChanges} as change)`

/** Pairs of computer and patch. Patches are counted before their severities are looked up, which reads them once each. */
const missingBySeverity = sql`(
  select jsonb_build_object('Critical', coalesce(sum(count) filter (where rank = 4), 0),
    'Important', coalesce(sum(count) filter (where rank = 3), 0),
    'Moderate', coalesce(sum(count) filter (where rank = 2), 0), 'Low', coalesce(sum(count) filter (where rank = 1), 0),
    'Unknown', coalesce(sum(count) filter (where rank = 0), 0))
  from (
    select patches.severity_rank as rank, count
    from (select patch_id, count(*) as count from (${missingPatches}) as missing group by 1) as counted
      join patches on patches.id = counted.patch_id
  ) as ranked)`

const installedVersions = sql`
  select 'packageVersions' as metric, package_name as subject, jsonb_object_agg(version, count) as counts
  from (
    select lower(packages.package_name) as package_name, coalesce(packages.version, 'Unknown') as version, sum(count) as count
    from (
      select package_id, count(*) as count from deployments where installation_state = 'Installed' group by 1
    ) as installed join packages on packages.id = installed.package_id
    where packages.package_name is not null
    group by 1, 2
  ) as counted
  group by package_name`

/** Selects one row for each metric and subject. `current` is the row of `fleet_statistics`. */
export const fleetSample: RawBuilder<SampleRow> = sql<SampleRow>`
  ${rowOf('computers', computers)} from current
  union all ${rowOf('health', sql`current.counts -> 'health'`)} from current
  union all ${rowOf('agentStatus', sql`current.counts -> 'agentStatus'`)} from current
  union all ${rowOf('operatingSystems', byName('operatingSystems', 'operatingSystem'))} from current
  union all ${rowOf('issues', byName('issues', 'issue'))} from current
  union all ${rowOf('deploymentStatus', sql`current.counts -> 'deploymentStatus'`)} from current
  union all ${rowOf('workState', workByState)}
  union all ${rowOf('missingPatches', missingBySeverity)}
  union all ${rowOf('patchAge', sql`current.counts -> 'patchAge'`)} from current
  union all ${rowOf('patchSla', sql`current.patch_sla - 'overduePatches'`)} from current where current.patch_sla is not null
  union all ${installedVersions}`
