import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { distributionCommands } from '../distribution/commands.ts'
import type { EffectiveOptions } from '../distribution/effective-options.ts'
import { parseSchedule, windowAt } from '../distribution/schedule.ts'
import type { WorkKind } from '../work-states/work-states.ts'
import type { AgentFactRow } from './agent-facts.ts'
import { factJoins, type WorkFacts, workFactColumns } from './work-facts.ts'

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
  const item = {
    computer_id: agent.owner_id,
    id: 0,
    package_id: packageId,
    kind: toKind(dist_commands),
    state: 'Due',
    attempt: 0,
    failures: 0,
    postponements: 0,
    delays: 0,
    commands: dist_commands,
    schedule,
    not_before: window?.start ?? 'infinity',
    window_ends_at: window?.end ?? null,
    optional_date,
  }
  const { rows } = await sql<WorkFacts>`
    select ${workFactColumns}
    from jsonb_populate_record(null::work, ${JSON.stringify(item)}::jsonb) as w
      cross join (select null::uuid as run_id, false as is_duplicate_process, false as has_no_leased_work) as requester
      ${factJoins}`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('The facts have one row.')
  return facts
}

function toKind(commands: number): WorkKind {
  if (commands & Uninstall) return 'Uninstall'
  return commands & Reinstall ? 'Reinstall' : 'Install'
}
