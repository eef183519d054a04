import { type Selectable, sql } from 'kysely'
import { ago, timeAsJson } from '../../database/sql-time.ts'
import type { Packages } from '../../database/tables.ts'
import { closed, enumOf, Instant, Int32, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { matchesPackageFilter, packageFilters } from './failed-deployment.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

const defaultTimes = 2
const defaultDays = 30

const DriftedPackage = closed(
  {
    softwareId: Uuid,
    packageName: nullable(text(255, 'Greeting')),
    version: nullable(text(255, '1.2.0')),
    times: { ...Int32, minimum: 1, examples: [3], description: 'How often a scan has found it removed or replaced' },
    lastKind: enumOf(['Removed', 'Replaced'], { title: 'SoftwareDriftKind' }),
    foundVersion: nullable(text(100, '1.1.0', 'The version that the last scan found in its place')),
    lastFoundUtc: Instant,
  },
  { title: 'DriftedPackage' },
)

type SoftwareDrift = Pick<Selectable<Packages>, 'name' | 'version'> & {
  computer_id: number
  package_id: string
  times: number
  kind: string
  found_version: string | null
  found_at: Date
}

/** Software of a converged group that is removed or replaced by hand again and again, although it is installed again. */
export const softwareDrift = issue({
  name: 'software-drift',
  thresholds: {
    minTimes: Type.Optional({
      ...Int32,
      minimum: 1,
      default: defaultTimes,
      examples: [defaultTimes],
      description: 'Report packages that were found removed or replaced at least this many times.',
    }),
    maxDaysAgo: Type.Optional({
      ...Int32,
      minimum: 1,
      maximum: 180,
      default: defaultDays,
      examples: [defaultDays],
      description: 'Count only what was found within this many days.',
    }),
    ...packageFilters,
  },
  occurrences: ({ minTimes = defaultTimes, maxDaysAgo = defaultDays, ...filter }) => sql<SoftwareDrift>`
    select drifts.computer_id, drifts.package_id, packages.name, packages.version, drifts.times, drifts.kind,
      drifts.found_version, drifts.found_at
    from (
      select computer_id, package_id, count(*)::integer as times, max(found_at) as found_at,
        (array_agg(kind order by id desc))[1] as kind, (array_agg(found_version order by id desc))[1] as found_version
      from software_drifts where found_at >= ${ago({ days: maxDaysAgo })}
      group by computer_id, package_id having count(*) >= ${minTimes}::integer
    ) as drifts join packages on packages.id = drifts.package_id
    where ${matchesPackageFilter(filter, 'packages')}`,
  properties: { driftedPackages: Type.Array(DriftedPackage, { description: 'The most recent first' }) },
  values: (column) => ({
    driftedPackages: jsonList(
      {
        softwareId: column.package_id,
        packageName: column.name,
        version: column.version,
        times: column.times,
        lastKind: column.kind,
        foundVersion: column.found_version,
        lastFoundUtc: timeAsJson(column.found_at),
      },
      sql`${column.found_at} desc, ${column.package_id}`,
    ),
  }),
  detail: (column) =>
    textList(
      sql<string>`concat_ws(' ', ${column.name}, ${column.version})`,
      sql`${column.found_at} desc, ${column.package_id}`,
    ),
  cause: { kind: 'Package', id: (column) => column.package_id },
})
