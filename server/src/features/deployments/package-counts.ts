import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type DeploymentStatus, deploymentStatus } from './deployment-status.ts'

export type DeploymentCounts = { success: number; failed: number; pending: number }

/** A package with more deployments is counted with the fleet: counting it for each answer would take too long. */
export const maxDeploymentsToCount = 2_000

type PackageCounts = DeploymentCounts & { package_id: string }

/**
 * Counts all deployments by their status, and records the counts of each package that has many. Only one transaction may count at a
 * time.
 */
export async function recordPackageCounts(db: Database): Promise<Record<DeploymentStatus, number>> {
  // A statement of its own: PostgreSQL counts in parallel only if the statement writes nothing.
  const { rows } = await sql<PackageCounts>`
    select package_id, count(*) filter (where status = 'Success') as success,
      count(*) filter (where status = 'Failed') as failed, count(*) filter (where status = 'Pending') as pending
    from (select package_id, ${deploymentStatus} as status from deployments deployment) as deployed
    group by package_id`.execute(db)
  await recordLargeCounts(db, rows.filter(isLarge))
  const sumOf = (status: keyof DeploymentCounts) => rows.reduce((sum, counts) => sum + counts[status], 0)
  return { Pending: sumOf('pending'), Success: sumOf('success'), Failed: sumOf('failed') }
}

const isLarge = ({ success, failed, pending }: PackageCounts) => success + failed + pending > maxDeploymentsToCount

async function recordLargeCounts(db: Database, counts: readonly PackageCounts[]): Promise<void> {
  await sql`
    with counted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(counts)})
        as counts (package_id uuid, success integer, failed integer, pending integer)
    ), vanished as (
      delete from package_counts kept where not exists (select from counted where counted.package_id = kept.package_id)
    )
    insert into package_counts as kept (package_id, success, failed, pending)
    select package_id, success, failed, pending from counted
    on conflict on constraint package_counts_pkey do update
      set success = excluded.success, failed = excluded.failed, pending = excluded.pending
    where (kept.success, kept.failed, kept.pending)
      is distinct from (excluded.success, excluded.failed, excluded.pending)`.execute(db)
}

/**
 * Counts the computers by the state of the package of a surrounding row of `packages`, as they are. What has ended is counted in its
 * index, which knows all but how those without a result are counted.
 */
export const currentDeploymentCounts = sql<DeploymentCounts>`(
  select jsonb_build_object('success', coalesce(sum(counted.computers) filter (where counted.status = 'Success'), 0),
    'failed', coalesce(sum(counted.computers) filter (where counted.status = 'Failed'), 0),
    'pending', coalesce(sum(counted.computers) filter (where counted.status = 'Pending'), 0))
  from (
    select deployment.status, count(*) as computers from deployments deployment
    where deployment.package_id = packages.id and deployment.status in ('Success', 'Failed') group by 1
    union all
    select ${deploymentStatus}, count(*) from deployments deployment
    where deployment.package_id = packages.id and deployment.status = 'Pending' group by 1
  ) as counted)`

/** The same as of `deploymentsCountedAt`: without counting many. */
export const deploymentCounts: RawBuilder<DeploymentCounts> = sql<DeploymentCounts>`coalesce((
  select jsonb_build_object('success', kept.success, 'failed', kept.failed, 'pending', kept.pending)
  from package_counts kept where kept.package_id = packages.id), ${currentDeploymentCounts})`

/** When the deployments of the package of a surrounding row of `packages` were counted; null if they are counted now. */
export const deploymentsCountedAt = sql<Date | null>`(
  select fleet_statistics.calculated_at from package_counts kept cross join fleet_statistics
  where kept.package_id = packages.id)`
