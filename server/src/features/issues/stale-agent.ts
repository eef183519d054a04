import { sql } from 'kysely'
import { ago, hoursSince } from '../../database/sql-time.ts'
import { Int32, Type } from '../../platform/schema.ts'
import { issue } from './issue.ts'

const defaultHours = 24

export const staleAgent = issue({
  name: 'stale-agent',
  thresholds: {
    minHoursStale: Type.Optional({
      ...Int32,
      minimum: 0,
      default: defaultHours,
      examples: [defaultHours],
      description: 'Agents that were last heard of so many hours ago or earlier',
    }),
    maxHoursStale: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [720],
      description: 'Only agents that were heard of within so many hours; without it, however long ago',
    }),
  },
  findings: ({ minHoursStale = defaultHours, maxHoursStale }) => sql`
    select contact.computer_id, contact.last_seen_at
    from computer_contacts contact
    where contact.last_seen_at <= ${ago({ hours: minHoursStale })}
      ${maxHoursStale === undefined ? sql`` : sql`and contact.last_seen_at >= ${ago({ hours: maxHoursStale })}`}`,
  shape: { staleAgentHours: Type.Number({ examples: [49.5], description: 'Since the last contact' }) },
  show: { staleAgentHours: sql`min(${hoursSince('found.last_seen_at')})` },
  detail: sql<string>`'Silent for ' || min(${hoursSince('found.last_seen_at')}) || ' hours'`,
})
