import { type RawBuilder, sql } from 'kysely'
import { timeAsJson } from '../../database/sql-time.ts'
import { containing } from '../../platform/like-pattern.ts'
import { closed, Instant, Int32, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

export const packageFilters = {
  softwareId: Type.Optional({ ...Uuid, description: 'Only this package' }),
  packageName: Type.Optional(text(255, 'greet', 'Only packages with this in their name')),
}

/** Whether a row of `packages` is one that is asked for. */
export function isAskedPackage({ softwareId, packageName }: { softwareId?: string; packageName?: string }) {
  const conditions: RawBuilder<unknown>[] = [
    ...(softwareId ? [sql`packages.id = ${softwareId}`] : []),
    ...(packageName ? [sql`packages.name ilike ${containing(packageName)}`] : []),
  ]
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

const FailedDeploymentItem = closed(
  {
    softwareId: Uuid,
    packageName: nullable(text(255, 'Greeting')),
    version: nullable(text(255, '1.2.0')),
    failedUtc: nullable(Instant),
    errorText: nullable(Type.String({ examples: ['The command ended with 1603.'] })),
  },
  { title: 'FailedDeploymentItem' },
)

export const failedDeployment = issue({
  name: 'failed-deployment',
  thresholds: {
    minFailedCount: Type.Optional({
      ...Int32,
      minimum: 1,
      default: 1,
      examples: [1],
      description: 'Only computers on which so many of these packages fail',
    }),
    ...packageFilters,
  },
  findings: ({ minFailedCount: _, ...asked }) => sql`
    select deployment.computer_id, deployment.package_id, packages.name, packages.version, deployment.failed_at,
      deployment.error_text
    from deployments deployment left join packages on packages.id = deployment.package_id
    where deployment.status = 'Failed' and ${isAskedPackage(asked)}`,
  fewest: ({ minFailedCount = 1 }) => minFailedCount,
  shape: { failedPackages: Type.Array(FailedDeploymentItem) },
  show: {
    failedPackages: listOf(
      {
        softwareId: sql`found.package_id`,
        packageName: sql`found.name`,
        version: sql`found.version`,
        failedUtc: timeAsJson(sql`found.failed_at`),
        errorText: sql`found.error_text`,
      },
      sql`found.failed_at desc nulls last, found.package_id`,
    ),
  },
  detail: fewOf(sql`concat_ws(' ', found.name, found.version)`, sql`found.failed_at desc nulls last, found.package_id`),
})
