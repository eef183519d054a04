import { sql } from 'kysely'

/** A package that failed on fewer computers, or on a smaller share of them, is a matter of these computers. */
export const minFailures = 3
export const minFailedPercent = 5

const maxPackages = 100

export type FailingPackage = { packageId: string; failed: number; succeeded: number }

/** The packages that fail on many of their computers now, the most frequent first, as JSON. Few packages fail, so few are counted. */
export const failingPackagesAsJson = sql<FailingPackage[]>`
  select coalesce(jsonb_agg(jsonb_build_object(
    'packageId', package_id, 'failed', failed, 'succeeded', succeeded) order by failed desc, package_id), '[]')
  from (
    select failing.package_id, failing.failed, (
      select count(*)::integer from deployments installed
      where installed.package_id = failing.package_id and installed.status = 'Success') as succeeded
    from (
      select package_id, count(*)::integer as failed from deployments where status = 'Failed'
      group by package_id having count(*) >= ${sql.lit(minFailures)}
    ) as failing
    order by failing.failed desc, failing.package_id limit ${sql.lit(maxPackages)}
  ) as counted
  where failed * 100 >= (failed + succeeded) * ${sql.lit(minFailedPercent)}`
