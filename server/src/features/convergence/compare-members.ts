import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ActivationScope } from '../deployments/activation/activation-scope.ts'
import { assignedWork, offeredPatchFixes, optionColumns } from '../deployments/activation/due-work.ts'
import { dueLine } from '../deployments/activation/planned-content.ts'
import { asIfPublished, isRemoval } from '../deployments/activation/planned-removals.ts'
import { type DueOptions, loadUnscheduledOptions } from '../deployments/activation/reachable-options.ts'
import { wasTried } from '../rollouts/untried-work.ts'
import { changeHash, changesOfWavesCtes, isLeftToOthers, joinChangesOfWaves } from '../rollouts/wave-changes.ts'

/** What members of a group need that they have neither as work nor as a result. */
export type MissingWork = {
  /** The computers that get something other than a removal, or whose waiting work follows from old options. */
  computerIds: number[]
  /** What these get: as lines that people can approve, and as hashes of the exact changes (`bringsChange`). */
  lines: string[]
  changes: string[]
  /** Which computers lose which packages: a computer and a package at each position. */
  removalComputerIds: number[]
  removalPackageIds: string[]
  removalLines: string[]
  removalChanges: string[]
}

/**
 * Compares what is assigned to the members with their work and their results. `ownerId` is the group that has the setting,
 * and the scope contains members that are kept converged by it. The view behind it is that of an activation.
 */
export async function compareMembers(db: Database, ownerId: string, scope: ActivationScope): Promise<MissingWork> {
  const published = asIfPublished(scope, 'software')
  const { rows } = await sql<MissingWork>`
    with ${missingCtes(ownerId, scope, await loadUnscheduledOptions(db))}, waiting as materialized (
      select work.computer_id, work.package_id, work.kind, ${optionColumns}
      from (${scope.computers}) as scope cross join lateral (
        select * from work
        where computer_id = scope.owner_id and state = 'Due' and package_id is not null and reinstall_group_id is null
          and rolled_back_package_id is null
        offset 0
      ) as work
    ), revisable as materialized (
      select due.*, ${changeHash} as change
      from assigned as due
        join waiting on waiting.computer_id = due.computer_id and waiting.package_id = due.package_id
        join packages p on p.id = due.package_id
      where due.kind is null or due.kind = waiting.kind and ${differsInOptions}
    ), revised as materialized (
      select due.computer_id, due.change from revisable as due ${joinChangesOfWaves} where not ${isLeftToOthers(ownerId)}
    ), changed as materialized (
      select computer_id, change from missing where not is_removal
      union
      select computer_id, change from revised
      union
      select fix.computer_id, fix.package_id::text
      from (${offeredPatchFixes(scope.computers, published)}) as fix
      where not exists (
        select from deployments known where known.computer_id = fix.computer_id and known.package_id = fix.package_id)
        and not ${isFixOfOpenWave(ownerId)}
    )
    select array(select distinct computer_id from changed order by computer_id) as "computerIds",
      array(select distinct line from missing where not is_removal order by line) as lines,
      array(select distinct change from changed order by change) as changes,
      coalesce(array_agg(computer_id) filter (where is_removal), '{}') as "removalComputerIds",
      coalesce(array_agg(package_id) filter (where is_removal), '{}') as "removalPackageIds",
      coalesce(array_agg(distinct line) filter (where is_removal), '{}') as "removalLines",
      coalesce(array_agg(distinct change) filter (where is_removal), '{}') as "removalChanges"
    from missing`.execute(db)
  const [found] = rows
  if (!found) throw new Error('An aggregate without a group by returns one row.')
  return found
}

/**
 * Builds parts of a `with` clause: `assigned`, which is due or not, and `missing`, for which there is neither work nor a result since
 * it last changed.
 */
function missingCtes(ownerId: string, scope: ActivationScope, options: DueOptions) {
  return sql`
    assigned as materialized (
      ${assignedWork('software', scope.computers, options, asIfPublished(scope, 'software'))}
    ), due as materialized (
      select due.*, ${dueLine} as line, ${changeHash} as change
      from assigned as due join packages p on p.id = due.package_id
      where due.kind is not null and not exists (
        select from work open
        where open.computer_id = due.computer_id and open.package_id = due.package_id
          and (open.state = 'Leased' or open.state = 'Due' and (open.kind = due.kind or open.rolled_back_package_id is not null)))
    ), ${changesOfWavesCtes(ownerId)}, missing as materialized (
      select due.computer_id, due.package_id, due.line, due.change, ${isRemoval('due.kind')} as is_removal
      from due ${joinChangesOfWaves}
      where not ${isLeftToOthers(ownerId)} and not ${wasTried(ownerId)}
    )`
}

/** Whether the next comparison will find the package missing on the computers of the scope. */
export async function isMissing(
  db: Database,
  ownerId: string,
  scope: ActivationScope,
  packageId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with ${missingCtes(ownerId, scope, await loadUnscheduledOptions(db))}
    select from missing where package_id = ${packageId} limit 1`.execute(db)
  return rows.length > 0
}

/** Those of `optionColumns` that people choose. */
const optionNames = [
  'group_id',
  'commands',
  'schedule',
  'revoke_count',
  'revoke_date',
  'optional_date',
  'user_deadline',
  'pre_download',
]

const optionsOf = (alias: string) => sql.join(optionNames.map((name) => sql.ref(`${alias}.${name}`)))

const differsInOptions = sql<boolean>`(${optionsOf('waiting')}) is distinct from (${optionsOf('due')})`

/** Whether a wave that has not ended will bring the fix package of a row of `fix`. */
const isFixOfOpenWave = (ownerId: string) => sql<boolean>`exists (
  select from rollouts wave
    join rollout_computers placed on placed.rollout_id = wave.id and placed.computer_id = fix.computer_id
  where wave.is_wave and wave.group_id = ${ownerId} and wave.ended_at is null and wave.state <> 'Cancelled'
    and placed.state = 'Waiting' and fix.package_id::text = any(wave.wave_changes))`
