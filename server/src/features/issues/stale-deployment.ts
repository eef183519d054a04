import { sql } from 'kysely'
import { ago, hoursSince, timeAsJson } from '../../database/sql-time.ts'
import { closed, Instant, Int32, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { isAskedPackage, packageFilters } from './failed-deployment.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

const defaultHours = 24
const defaultDays = 30

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

/** The device is online, and yet the agent has not begun. Work that waits for its time is not late. */
export const staleDeployment = issue({
  name: 'stale-deployment',
  thresholds: {
    minHoursPending: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultHours,
      examples: [defaultHours],
      description: 'Packages that have been pending for so many hours or longer',
    }),
    maxDaysPending: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultDays,
      examples: [defaultDays],
      description: 'Only packages that have been pending for so many days at most',
    }),
    ...packageFilters,
  },
  findings: ({ minHoursPending = defaultHours, maxDaysPending = defaultDays, ...asked }) => sql`
    select deployment.computer_id, deployment.package_id, packages.name, packages.version, deployment.pending_since
    from deployments deployment
      join computer_contacts contact
        on contact.computer_id = deployment.computer_id and contact.last_seen_at >= ${ago({ hours: 24 })}
      left join packages on packages.id = deployment.package_id
    where deployment.pending_since <= ${ago({ hours: minHoursPending })}
      and deployment.pending_since >= ${ago({ days: maxDaysPending })}
      and not exists (
        select from work
        where work.computer_id = deployment.computer_id and work.package_id = deployment.package_id
          and work.state in ('Due', 'Leased') and (work.attempt > 0 or work.not_before > now()))
      and ${isAskedPackage(asked)}`,
  shape: { stalePendingPackages: Type.Array(StaleDeploymentItem) },
  show: {
    stalePendingPackages: listOf(
      {
        softwareId: sql`found.package_id`,
        packageName: sql`found.name`,
        version: sql`found.version`,
        pendingSinceUtc: timeAsJson(sql`found.pending_since`),
        hoursPending: hoursSince('found.pending_since'),
      },
      sql`found.pending_since, found.package_id`,
    ),
  },
  detail: fewOf(sql`concat_ws(' ', found.name, found.version)`, sql`found.pending_since, found.package_id`),
})
