import { type RawBuilder, type Selectable, sql } from 'kysely'
import { timeAsJson } from '../../database/sql-time.ts'
import type { Deployments, Packages } from '../../database/tables.ts'
import { containing } from '../../platform/like-pattern.ts'
import { closed, Instant, Int32, nullable, type Static, Type, text, Uuid } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

export const packageFilters = {
  softwareId: Type.Optional({ ...Uuid, description: 'Only this package' }),
  packageName: Type.Optional(text(255, 'greet', 'Only packages whose name contains this text; case is ignored')),
}

export type PackageFilter = { [K in keyof typeof packageFilters]?: Static<(typeof packageFilters)[K]> }

/** Whether the row of `packages` with the alias `table` passes the filter. */
export function matchesPackageFilter({ softwareId, packageName }: PackageFilter, table: string): RawBuilder<boolean> {
  const conditions = [
    ...(softwareId ? [sql<boolean>`${sql.ref(`${table}.id`)} = ${softwareId}`] : []),
    ...(packageName ? [sql<boolean>`${sql.ref(`${table}.name`)} ilike ${containing(packageName)}`] : []),
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

type FailedDeployment = Pick<Selectable<Deployments>, 'computer_id' | 'package_id' | 'failed_at' | 'error_text'> &
  Pick<Selectable<Packages>, 'name' | 'version'>

/** A deployment that failed and is pending again does not count. */
export const failedDeployment = issue({
  name: 'failed-deployment',
  thresholds: {
    minFailedCount: Type.Optional({
      ...Int32,
      minimum: 1,
      default: 1,
      examples: [1],
      description: 'Report only computers on which at least this many of these packages have failed.',
    }),
    ...packageFilters,
  },
  occurrences: ({ minFailedCount: _, ...filter }) => sql<FailedDeployment>`
    select deployment.computer_id, deployment.package_id, packages.name, packages.version, deployment.failed_at,
      deployment.error_text
    from deployments deployment left join packages on packages.id = deployment.package_id
    where deployment.status = 'Failed' and ${matchesPackageFilter(filter, 'packages')}`,
  minOccurrences: ({ minFailedCount = 1 }) => minFailedCount,
  properties: { failedPackages: Type.Array(FailedDeploymentItem, { description: 'The latest failure first' }) },
  values: (column) => ({
    failedPackages: jsonList(
      {
        softwareId: column.package_id,
        packageName: column.name,
        version: column.version,
        failedUtc: timeAsJson(column.failed_at),
        errorText: column.error_text,
      },
      sql`${column.failed_at} desc nulls last, ${column.package_id}`,
    ),
  }),
  detail: (column) =>
    textList(
      sql<string>`concat_ws(' ', ${column.name}, ${column.version})`,
      sql`${column.failed_at} desc nulls last, ${column.package_id}`,
    ),
  cause: { kind: 'Package', id: (column) => column.package_id },
})
