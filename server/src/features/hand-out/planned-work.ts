import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { distributionCommands } from '../distribution/commands.ts'
import type { EffectiveOptions } from '../distribution/effective-options.ts'
import { parseSchedule, windowAt } from '../distribution/schedule.ts'
import type { WorkKind } from '../work-states/work-states.ts'
import type { AgentFactRow } from './agent-facts.ts'
import { type WorkFacts, workFactColumns } from './work-facts.ts'

const { Reinstall, Uninstall } = distributionCommands

type PlannedOptions = Pick<EffectiveOptions, 'dist_commands' | 'schedule' | 'optional_date'>

/** The facts of a work item that does not exist yet, as if the computer were activated now. */
export async function getPlannedFacts(
  db: Database,
  agent: AgentFactRow,
  packageId: string,
  { dist_commands, schedule, optional_date }: PlannedOptions,
): Promise<WorkFacts> {
  const window = windowAt(parseSchedule(schedule), new Date())
  const { rows } = await sql<WorkFacts>`
    select ${workFactColumns}
    from (
      select ${agent.owner_id}::integer as computer_id, 0::bigint as id, ${packageId}::uuid as package_id,
        ${toKind(dist_commands)} as kind, 'Due' as state, 0 as attempt, 0 as failures, 0 as postponements,
        ${dist_commands}::integer as commands, ${schedule} as schedule,
        ${window?.start ?? 'infinity'}::timestamptz as not_before, null::text as delayed_by,
        ${window?.end ?? null}::timestamptz as window_ends_at, ${optional_date}::timestamptz as optional_date,
        null::timestamptz as leased_until, null::uuid as run_id, null::integer as progress
    ) as w cross join (
      select null::uuid as run_id, false as has_come_back, false as is_empty_handed
    ) as requester left join packages p on p.id = w.package_id`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('The facts have one row.')
  return facts
}

function toKind(commands: number): WorkKind {
  if (commands & Uninstall) return 'Uninstall'
  return commands & Reinstall ? 'Reinstall' : 'Install'
}
