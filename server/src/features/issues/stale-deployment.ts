import { type Selectable, sql } from 'kysely'
import { ago, hoursSince, timeAsJson } from '../../database/sql-time.ts'
import type { Packages } from '../../database/tables.ts'
import { closed, Instant, Int32, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { matchesPackageFilter, packageFilters } from './failed-deployment.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

const defaultHours = 24
const defaultDays = 30

/** An agent that contacted the server within this time counts as online. */
const onlineHours = 24

const StaleDeploymentItem = closed(
  {
    softwareId: Uuid,
    packageName: nullable(text(255, 'Greeting')),
    version: nullable(text(255, '1.2.0')),
    pendingSinceUtc: Instant,
    hoursPending: Type.Number({ examples: [49.5] }),
  },
  { title: 'StaleDeploymentItem' },
)

type StaleDeployment = Pick<Selectable<Packages>, 'name' | 'version'> & {
  computer_id: number
  package_id: string
  pending_since: Date
  hours_pending: number
}

/** The agent is online and has not started the work, although the work is due. */
export const staleDeployment = issue({
  name: 'stale-deployment',
  thresholds: {
    minHoursPending: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultHours,
      examples: [defaultHours],
      description: 'Report packages that have been pending for at least this many hours.',
    }),
    maxDaysPending: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultDays,
      examples: [defaultDays],
      description: 'Report only packages that have been pending for at most this many days.',
    }),
    ...packageFilters,
  },
  occurrences: ({ minHoursPending = defaultHours, maxDaysPending = defaultDays, ...filter }) => sql<StaleDeployment>`
    select deployment.computer_id, deployment.package_id, packages.name, packages.version, deployment.pending_since,
      ${hoursSince('deployment.pending_since')} as hours_pending
    from deployments deployment
      join computer_contacts contact
        on contact.computer_id = deployment.computer_id and contact.last_seen_at >= ${ago({ hours: onlineHours })}
      left join packages on packages.id = deployment.package_id
    where deployment.pending_since <= ${ago({ hours: minHoursPending })}
      and deployment.pending_since >= ${ago({ days: maxDaysPending })}
      and not exists (
        select from work
        where work.computer_id = deployment.computer_id and work.package_id = deployment.package_id
          and ${isOpenWork('work.state')} and (work.attempt > 0 or work.not_before > now()))
      and ${matchesPackageFilter(filter, 'packages')}`,
  properties: { stalePendingPackages: Type.Array(StaleDeploymentItem, { description: 'Oldest first' }) },
  values: (column) => ({
    stalePendingPackages: jsonList(
      {
        softwareId: column.package_id,
        packageName: column.name,
        version: column.version,
        pendingSinceUtc: timeAsJson(column.pending_since),
        hoursPending: column.hours_pending,
      },
      sql`${column.pending_since}, ${column.package_id}`,
    ),
  }),
  detail: (column) =>
    textList(
      sql<string>`concat_ws(' ', ${column.name}, ${column.version})`,
      sql`${column.pending_since}, ${column.package_id}`,
    ),
  cause: { kind: 'Package', id: (column) => column.package_id },
})
