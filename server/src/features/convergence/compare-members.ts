import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ActivationScope } from '../deployments/activation/activation-scope.ts'
import { assignedWork, offeredPatchFixes, optionColumns } from '../deployments/activation/due-work.ts'
import { dueLine } from '../deployments/activation/planned-content.ts'
import { asIfPublished, isRemoval, noWindows } from '../deployments/activation/planned-removals.ts'
import { isUntried } from '../rollouts/untried-work.ts'

/** What members of a group need that they have neither as work nor as a result. */
export type MissingWork = {
  /** The computers that get something other than a removal, or whose waiting work follows from old options. */
  computerIds: number[]
  /** What these get, as the lines of an approved request. */
  lines: string[]
  /** Which computers lose which packages: a computer and a package at each position. */
  removalComputerIds: number[]
  removalPackageIds: string[]
  removalLines: string[]
}

/**
 * Compares what is assigned to the members with their work and their results. `ownerId` is the group that has the setting,
 * and the scope contains members that are kept converged by it. The view behind it is that of an activation.
 */
export async function compareMembers(db: Database, ownerId: string, scope: ActivationScope): Promise<MissingWork> {
  const published = asIfPublished(scope, 'software')
  const { rows } = await sql<MissingWork>`
    with assigned as materialized (
      ${assignedWork('software', scope.computers, noWindows, published)}
    ), waiting as materialized (
      select work.computer_id, work.package_id, work.kind, ${optionColumns}
      from (${scope.computers}) as scope cross join lateral (
        select * from work
        where computer_id = scope.owner_id and state = 'Due' and package_id is not null and reinstall_group_id is null
        offset 0
      ) as work
    ), due as materialized (
      select assigned.* from assigned
      where kind is not null and not exists (
        select from work open
        where open.computer_id = assigned.computer_id and open.package_id = assigned.package_id
          and (open.state = 'Leased' or open.state = 'Due' and open.kind = assigned.kind))
    ), missing as materialized (
      select due.computer_id, due.package_id, ${dueLine} as line, ${isRemoval('due.kind')} as is_removal
      from due join packages p on p.id = due.package_id
      where ${isUntried(ownerId, null)}
    ), changed as (
      select computer_id from missing where not is_removal
      union
      select waiting.computer_id
      from waiting join assigned using (computer_id, package_id)
      where assigned.kind is null or assigned.kind = waiting.kind and ${differsInOptions}
      union
      select fix.computer_id from (${offeredPatchFixes(scope.computers, published)}) as fix
      where not exists (
        select from deployments known where known.computer_id = fix.computer_id and known.package_id = fix.package_id)
    )
    select array(select computer_id from changed order by computer_id) as "computerIds",
      array(select distinct line from missing where not is_removal order by line) as lines,
      coalesce(array_agg(computer_id) filter (where is_removal), '{}') as "removalComputerIds",
      coalesce(array_agg(package_id) filter (where is_removal), '{}') as "removalPackageIds",
      coalesce(array_agg(distinct line) filter (where is_removal), '{}') as "removalLines"
    from missing`.execute(db)
  const [found] = rows
  if (!found) throw new Error('An aggregate without a group by returns one row.')
  return found
}

const optionsOf = (alias: string) =>
  sql.join(
    ['group_id', 'commands', 'schedule', 'revoke_count', 'revoke_date', 'optional_date'].map((name) =>
      sql.ref(`${alias}.${name}`),
    ),
  )

const differsInOptions = sql<boolean>`
  (${optionsOf('waiting')}) is distinct from (${optionsOf('assigned')})`
