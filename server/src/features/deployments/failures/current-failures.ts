import { type RawBuilder, sql } from 'kysely'
import { causeOfLine, lastLineOf } from './failure-causes.ts'

/** The cause of each failure is derived from its output. With more failures than this, only the latest are looked at. */
const maxCurrentFailures = 5_000

const maxOutputLength = 4_000

export type CurrentFailure = {
  computer_id: number
  package_id: string
  failed_at: Date | null
  exit_code: number | null
  /** The end of the output of the command, or what else is known of the failure. */
  output: string
  cause: string
  /** Equal for failures of the same package with the same exit code and cause. */
  cause_id: string
}

/**
 * Selects the computers on which the package, or any package, fails now, each with its cause; of all computers, or of some. Failures have the same
 * cause if their exit codes are equal and their outputs differ only in details.
 */
export function currentFailures(packageId?: string, computerIds?: readonly number[]): RawBuilder<CurrentFailure> {
  const isOfPackage = packageId === undefined ? sql`true` : sql`deployment.package_id = ${packageId}`
  const isSelected = computerIds
    ? sql`${isOfPackage} and deployment.computer_id = any(${computerIds}::integer[])`
    : isOfPackage
  // Many computers fail alike. The cause is derived once for each line that they end with.
  return sql<CurrentFailure>`
    with latest as materialized (
      select found.*, ${lastLineOf(sql<string>`found.output`)} as line
      from (
        select failure.computer_id, failure.package_id, failure.failed_at, error.exit_code,
          coalesce(error.output, failure.error_text, '') as output
        from (
          select deployment.computer_id, deployment.package_id, deployment.failed_at, deployment.error_text
          from deployments deployment where deployment.status = 'Failed' and ${isSelected}
          order by deployment.failed_at desc nulls last, deployment.computer_id limit ${maxCurrentFailures}
        ) as failure left join lateral (
          select setup_errors.exit_code, right(setup_errors.output, ${sql.lit(maxOutputLength)}) as output
          from setup_errors
          where setup_errors.computer_id = failure.computer_id and setup_errors.package_id = failure.package_id
          order by setup_errors.id desc limit 1
        ) as error on true
      ) as found
    ), lines as materialized (
      select line, ${causeOfLine(sql<string>`line`)} as cause from (select distinct line from latest) as each_line
    )
    select latest.computer_id, latest.package_id, latest.failed_at, latest.exit_code, latest.output, lines.cause,
      md5(concat_ws(' ', latest.package_id, coalesce(latest.exit_code::text, '-'), lines.cause)) as cause_id
    from latest join lines on lines.line = latest.line`
}

type FailingFilter = { causeId?: string; computerIds?: readonly number[] }

/** Selects the computers on which the package fails now, or only some of them. */
export function failingComputers(
  packageId: string,
  { causeId, computerIds }: FailingFilter = {},
): RawBuilder<{ computer_id: number }> {
  return sql<{ computer_id: number }>`
    select failure.computer_id from (${currentFailures(packageId, computerIds)}) as failure
    where ${causeId === undefined ? sql`true` : sql`failure.cause_id = ${causeId}`}`
}

export type CurrentFailureCause = {
  causeId: string
  packageId: string
  packageName: string
  packageVersion: string | null
  cause: string
  exitCode: number | null
  count: number
  latestFailureUtc: Date | null
  exampleClientId: number
  exampleHostname: string
  exampleOutput: string
}

const maxCauses = 50

/**
 * Groups the computers on which the package, or any package, currently fails by cause, the most frequent first. The latest
 * failure of each cause is its example.
 */
export function failureCauses(packageId?: string): RawBuilder<CurrentFailureCause> {
  return sql<CurrentFailureCause>`
    with failures as materialized (
      ${currentFailures(packageId)}
    ), grouped as (
      select cause_id, count(*)::integer as count,
        (array_agg(computer_id order by failed_at desc nulls last, computer_id))[1] as computer_id
      from failures group by cause_id order by 2 desc, 1 limit ${maxCauses}
    )
    select grouped.cause_id as "causeId", example.package_id as "packageId", packages.name as "packageName",
      packages.version as "packageVersion", example.cause, example.exit_code as "exitCode", grouped.count,
      example.failed_at as "latestFailureUtc", example.computer_id as "exampleClientId",
      computers.name as "exampleHostname", example.output as "exampleOutput"
    from grouped
      join failures example on example.cause_id = grouped.cause_id and example.computer_id = grouped.computer_id
      join packages on packages.id = example.package_id
      join computers on computers.id = example.computer_id
    order by grouped.count desc, example.cause, example.exit_code, grouped.cause_id`
}
