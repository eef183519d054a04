import type { TSchema } from '@sinclair/typebox'
import { closed, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { type FleetCounts, patchAges } from '../fleet-statistics.ts'
import { IssueNameSchema } from './schemas.ts'

const count = { ...Int32, minimum: 0, examples: [17] }

function countsOf<const K extends string>(title: string, keys: readonly K[], description?: string) {
  const properties = Object.fromEntries(keys.map((key): [string, TSchema] => [key, count])) as Record<K, typeof count>
  return closed(properties, { title, ...(description && { description }) })
}

const FleetCountsSchema = closed(
  {
    computers: count,
    health: countsOf('HealthCounts', ['Healthy', 'Warning', 'Unreachable']),
    agentStatus: countsOf('AgentStatusCounts', ['Reporting', 'Stale', 'Silent', 'Unknown']),
    operatingSystems: Type.Array(
      closed(
        { operatingSystem: nullable(text(511, 'Windows 11 Enterprise', 'Null where it is not known')), count },
        { title: 'OperatingSystemCount' },
      ),
      { description: 'The most frequent first, 50 at most' },
    ),
    issues: Type.Array(closed({ issue: IssueNameSchema, count }, { title: 'IssueCount' }), {
      description: 'Computers with each issue, by the default thresholds of the sweeps',
    }),
    deploymentStatus: countsOf(
      'DeploymentStatusCounts',
      ['Pending', 'Success', 'Failed'],
      'Pairs of a package and a computer',
    ),
    patchAge: countsOf(
      'PatchAgeCounts',
      patchAges,
      'Computers by the time since the release of the oldest security patch that they lack',
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
