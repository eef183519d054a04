import { type RawBuilder, sql } from 'kysely'
import { analyzeGrownTables } from '../../database/after-bulk-write.ts'
import type { Database } from '../../database/connect.ts'
import { GoneMeanwhile } from '../../database/errors.ts'
import { nearestFirst } from '../assignments/effective-assignments.ts'
import { type EffectivePackage, effectivePackages } from '../assignments/effective-packages.ts'
import { toCommandMask } from '../distribution/commands.ts'
import { isApplicable } from '../work-states/applicability.ts'
import { cancelOpenWork } from '../work-states/cancel-work.ts'
import { eventSource, insertDistributionEvents } from '../work-states/distribution-events.ts'
import { reinstallGroupRows } from './reinstall-groups.ts'
import { type Creator, insertTask } from './tasks.ts'

/** The distribution commands of a requested reinstall, regardless of the distribution options. */
export const enforcedReinstall = toCommandMask(['Reinstall', 'Force'])

/** The tables that grow with requests for single computers, of which there may be thousands in a minute. */
const tablesOfRequests = [
  'groups',
  'group_ancestors',
  'group_computers',
  'reinstall_groups',
  'tasks',
  'work',
  'deployments',
  'distribution_events',
] as const

type NearestPackage = EffectivePackage & { is_applicable: boolean }

/** Finds the nearest effective package of a computer that meets the condition on `packages` and `platform`. */
export async function findNearestPackage(
  db: Database,
  computerId: number,
  condition: RawBuilder<boolean>,
): Promise<NearestPackage | undefined> {
  const { rows } = await nearestPackage(computerId, condition).execute(db)
  return rows[0]
}

/** Selects the group whose assignment of the package is the nearest one for the computer. */
export function nearestAssigningGroup(computerId: number, packageId: string): RawBuilder<{ group_id: string }> {
  return sql`select group_id from (${nearestPackage(computerId, sql`packages.id = ${packageId}`)}) as nearest`
}

function nearestPackage(computerId: number, condition: RawBuilder<boolean>): RawBuilder<NearestPackage> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  return sql`
    select effective.*, ${isApplicable('packages', 'platform')} as is_applicable
    from (${effectivePackages(computer)}) as effective
      join packages on packages.id = effective.package_id
      join computer_platforms platform on platform.computer_id = effective.computer_id
    where ${condition}
    order by ${nearestFirst('effective')}, effective.package_id
    limit 1`
}

/**
 * Creates a reinstall group and the work item that reinstalls an effective package. Cancels other open work of the
 * package. The caller has locked the group trees (shared) and the computer.
 */
export async function requestReinstall(
  db: Database,
  { kind, createdBy }: { kind: 'Reinstall' | 'Rescan'; createdBy: Creator },
  { computer_id: computerId, package_id: packageId, group_id: parentId }: EffectivePackage,
) {
  // Work is locked before the reinstall group, in the order of reports, which end both.
  await cancelOpenWork(db, computerId, packageId)
  const groupId = await insertReinstallGroup(db, { computerId, packageId, parentId })
  const taskId = await insertTask(db, { kind, computerId, groupId: parentId, packageId, createdBy })
  const insertWork = () =>
    db
      .insertInto('work')
      .values({
        computer_id: computerId,
        package_id: packageId,
        task_id: taskId,
        kind: 'Reinstall',
        commands: enforcedReinstall,
        group_id: parentId,
        reinstall_group_id: groupId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
  // A concurrent activation may have inserted work in the meantime; that work is cancelled as well.
  while (!(await insertWork())) await cancelOpenWork(db, computerId, packageId)
  await sql`
    with request_events as (
      ${insertDistributionEvents({
        from: eventSource(computerId, packageId),
        result: 'Pending',
        classification: 'Request',
        installMode: 'Reinstall',
      })}
    )
    insert into deployments (computer_id, package_id, pending_since) values (${computerId}, ${packageId}, now())
    on conflict on constraint deployments_pkey do update set pending_since = excluded.pending_since`.execute(db)
  await analyzeGrownTables(db, tablesOfRequests)
  return reinstallGroupRows(db).where('reinstall_groups.group_id', '=', groupId).executeTakeFirstOrThrow()
}

type NewReinstallGroup = { computerId: number; packageId: string; parentId: string }

async function insertReinstallGroup(
  db: Database,
  { computerId, packageId, parentId }: NewReinstallGroup,
): Promise<string> {
  // The name contains the id, which makes it unique.
  const { rows } = await sql<{ group_id: string }>`
    with fresh as materialized (
      select new_uuid() as id
    ), inserted as (
      insert into groups (id, tree, parent_id, kind, name, description)
      select fresh.id, parent.tree, parent.id, 'Reinstall', 'Reinstall ' || fresh.id,
        'Reinstall of ' || packages.name || ' on ' || computers.name
      from fresh, groups parent, packages, computers
      where parent.id = ${parentId} and packages.id = ${packageId} and computers.id = ${computerId}
      returning id, is_exclusive
    ), membership as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select id, ${computerId}::integer, is_exclusive from inserted
    )
    insert into reinstall_groups (group_id, computer_id, package_id)
    select id, ${computerId}::integer, ${packageId}::uuid from inserted
    returning group_id`.execute(db)
  const [inserted] = rows
  if (!inserted)
    throw new GoneMeanwhile('The parent group, the package or the computer of the reinstall does not exist.')
  return inserted.group_id
}
