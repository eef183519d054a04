import { type Selectable, sql } from 'kysely'
import { ago, timeAsJson } from '../../database/sql-time.ts'
import type { Agents } from '../../database/tables.ts'
import { Instant, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { onlyValue } from './occurrence-aggregates.ts'

type PendingReboot = Pick<Selectable<Agents>, 'computer_id' | 'boot_at' | 'reboot_required_source'>

export const pendingReboot = issue({
  name: 'pending-reboot',
  thresholds: {
    minDaysSinceLastReboot: Type.Optional({
      ...Int32,
      minimum: 0,
      default: 0,
      examples: [0],
      description:
        'Report only computers that last started at least this many days ago. With 0, computers whose last start is unknown are included.',
    }),
  },
  occurrences: ({ minDaysSinceLastReboot: days = 0 }) => sql<PendingReboot>`
    select agent.computer_id, agent.boot_at, agent.reboot_required_source
    from agents agent
    where agent.is_reboot_required ${days > 0 ? sql`and agent.boot_at <= ${ago({ days })}` : sql``}`,
  properties: {
    lastReboot: nullable(Instant),
    rebootRequiredSource: nullable(text(255, '/var/run/reboot-required', 'What requires the reboot')),
  },
  values: (column) => ({
    lastReboot: timeAsJson(onlyValue(column.boot_at)),
    rebootRequiredSource: onlyValue(column.reboot_required_source),
  }),
  detail: (column) => sql<string>`coalesce(${onlyValue(column.reboot_required_source)}, 'Reboot required')`,
  cause: { kind: 'RestartSource', id: (column) => column.reboot_required_source },
})
