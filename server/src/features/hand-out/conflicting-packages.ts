import { type RawBuilder, sql } from 'kysely'
import { isOptionalSql } from '../distribution/commands.ts'
import { conflictsOf } from '../packages/conflicts.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/**
 * The packages that conflict with that of the work item `w` and are on the computer, or come to it first: of two work items,
 * the one that was created first. Null if there are none. Without any conflict, nothing is looked up.
 */
export const conflictingPackages: RawBuilder<string[] | null> = sql`
  case when exists (select from package_conflicts) and w.kind in ('Install', 'Update', 'Reinstall') then (
    select array_agg(distinct q.package_name)
    from (${conflictsOf('p')}) as conflict
      join packages q on q.id = conflict.id
    where exists (
        select from deployments d
        where d.computer_id = w.computer_id and d.package_id = q.id and d.installation_state = 'Installed')
        -- What it supersedes is replaced or uninstalled first.
        and not exists (
          select from package_supersedes superseded
          where superseded.package_id = w.package_id and lower(superseded.superseded_name) = lower(q.package_name))
      or exists (
        select from work o
        where o.computer_id = w.computer_id and o.package_id = q.id and ${isOpenWork('o.state')}
          and o.kind in ('Install', 'Update', 'Reinstall') and (not ${isOptionalSql('o.commands')} or o.attempt > 0)
          -- The work item of a plan has no place yet: it would be the last.
          and (o.state = 'Leased' or o.id < w.id or w.id = 0)))
  end`
