import { sql } from 'kysely'
import { ago, timeAsJson } from '../../database/sql-time.ts'
import { Instant, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'

export const pendingReboot = issue({
  name: 'pending-reboot',
  thresholds: {
    minDaysSinceLastReboot: Type.Optional({
      ...Int32,
      minimum: 0,
      default: 0,
      examples: [0],
      description: 'Only computers that were last started so many days ago or earlier',
    }),
  },
  // Without a limit it does not matter either whether the time of the start is known.
  findings: ({ minDaysSinceLastReboot: days = 0 }) => sql`
    select agent.computer_id, agent.boot_at, agent.reboot_required_source
    from agents agent
    where agent.is_reboot_required ${days > 0 ? sql`and agent.boot_at <= ${ago({ days })}` : sql``}`,
  shape: {
    lastReboot: nullable(Instant),
    rebootRequiredSource: nullable(text(255, '/var/run/reboot-required', 'What asks for it')),
  },
  show: {
    lastReboot: timeAsJson(sql`min(found.boot_at)`),
    rebootRequiredSource: sql`min(found.reboot_required_source)`,
  },
  detail: sql<string>`coalesce(min(found.reboot_required_source), 'Reboot required')`,
})
