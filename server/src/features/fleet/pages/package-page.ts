import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { assignedComputers } from '../../assignments/assigned-computers.ts'
import { groupsWithPackage } from '../../assignments/directly-assigned-groups.ts'
import { failureCauseOf } from '../../deployments/failure-causes.ts'
import { packageResults } from '../../deployments/package-results.ts'

const maxGroups = 500
const maxCauses = 50
const maxOutput = 4_000

/** The cause of each failure is derived from its output. With more failures than this, only the latest are grouped. */
const maxFailures = 5_000

type StatusCounts = { total: number; success: number; failed: number; pending: number }

/** Counts the computers to which the package is assigned by the state of its deployment. */
export async function countPackageStatus(db: Database, packageId: string, kind: string): Promise<StatusCounts> {
  const { rows } = await sql<StatusCounts>`
    select count(*)::integer as total, count(*) filter (where result.status = 'Success')::integer as success,
      count(*) filter (where result.status = 'Failed')::integer as failed,
      count(*) filter (where result.status is null or result.status not in ('Success', 'Failed'))::integer as pending
    from (${assignedComputers(packageId, kind, undefined)}) as assigned
      left join (${packageResults(packageId, kind)}) as result on result.computer_id = assigned.id`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('An aggregate without a group by returns one row.')
  return counts
}

export function listGroupsOfPackage(db: Database, packageId: string) {
  return groupsWithPackage(db, packageId).select('path').orderBy('path').limit(maxGroups).execute()
}

type FailureCause = {
  cause: string
  exitCode: number | null
  count: number
  latestFailureUtc: Date | null
  exampleClientId: number
  exampleHostname: string
  exampleOutput: string
}

/** The computers on which the package fails now, grouped by why. The latest failure of each group is its example. */
export async function listFailureCauses(db: Database, packageId: string): Promise<FailureCause[]> {
  const { rows } = await sql<FailureCause>`
    with failures as materialized (
      select deployment.computer_id, deployment.failed_at, deployment.error_text
      from deployments deployment where deployment.package_id = ${packageId} and deployment.status = 'Failed'
      order by deployment.failed_at desc nulls last limit ${maxFailures}
    ), outputs as (
      select failures.computer_id, failures.failed_at, error.exit_code,
        coalesce(error.output, failures.error_text, '') as output
      from failures left join lateral (
        select exit_code, right(output, ${sql.lit(maxOutput)}) as output from setup_errors
        where setup_errors.computer_id = failures.computer_id and setup_errors.package_id = ${packageId}
        order by setup_errors.id desc limit 1
      ) as error on true
    ), grouped as (
      select ${failureCauseOf(sql.ref('output'))} as cause, exit_code, count(*)::integer as count,
        max(failed_at) as latest, (array_agg(computer_id order by failed_at desc nulls last, computer_id))[1] as computer_id,
        (array_agg(output order by failed_at desc nulls last, computer_id))[1] as output
      from outputs group by 1, 2
      order by 3 desc, 1, 2 limit ${maxCauses}
    )
    select grouped.cause, grouped.exit_code as "exitCode", grouped.count, grouped.latest as "latestFailureUtc",
      grouped.computer_id as "exampleClientId", computers.name as "exampleHostname", grouped.output as "exampleOutput"
    from grouped join computers on computers.id = grouped.computer_id
    order by grouped.count desc, grouped.cause, grouped.exit_code`.execute(db)
  return rows
}
