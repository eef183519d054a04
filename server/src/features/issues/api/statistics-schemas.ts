import type { TSchema } from '@sinclair/typebox'
import { closed, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { deploymentStatuses } from '../../deployments/deployment-status.ts'
import type { FleetCounts } from '../fleet-statistics.ts'
import { missingSeverities, patchAges } from '../patch-states.ts'
import { IssueNameSchema } from './schemas.ts'

const count = { ...Int32, minimum: 0, examples: [17] }

function countsSchema<const K extends string>(title: string, keys: readonly K[], description?: string) {
  const properties = Object.fromEntries(keys.map((key): [string, TSchema] => [key, count])) as Record<K, typeof count>
  return closed(properties, { title, ...(description && { description }) })
}

const FleetCountsSchema = closed(
  {
    computers: count,
    withIssues: {
      ...count,
      description:
        'Number of computers with at least one issue that were heard from in the last 30 days: the total of listIssueOverview',
    },
    health: countsSchema('HealthCounts', ['Healthy', 'Warning', 'Unreachable']),
    agentStatus: countsSchema('AgentStatusCounts', ['Reporting', 'Stale', 'Silent', 'Unknown']),
    operatingSystems: Type.Array(
      closed(
        { operatingSystem: nullable(text(511, 'Windows 11 Enterprise', 'Null if it is unknown')), count },
        { title: 'OperatingSystemCount' },
      ),
      { description: 'The most frequent first, at most 50' },
    ),
    issues: Type.Array(closed({ issue: IssueNameSchema, count }, { title: 'IssueCount' }), {
      description: 'Number of computers with each issue, by the default thresholds of the sweeps',
    }),
    deploymentStatus: countsSchema(
      'DeploymentStatusCounts',
      deploymentStatuses,
      'Number of pairs of package and computer, as listFleetPackages counts them',
    ),
    patchAge: countsSchema(
      'PatchAgeCounts',
      patchAges,
      'Number of computers by the age of their oldest missing security patch, counted from its release',
    ),
    missingSeverity: countsSchema(
      'MissingSeverityCounts',
      missingSeverities,
      'Number of computers by the vendor severity of their most severe missing patch; None if they miss no patch or were ' +
        'never scanned',
    ),
  },
  { title: 'FleetCounts' },
)

export const FleetStatistics = closed(
  {
    calculatedAtUtc: nullable(Instant),
    ageSeconds: nullable({ ...Int32, minimum: 0, examples: [12] }),
    counts: Type.Unsafe<FleetCounts | null>({ ...FleetCountsSchema, type: ['object', 'null'] }),
  },
  { title: 'FleetStatistics' },
)
