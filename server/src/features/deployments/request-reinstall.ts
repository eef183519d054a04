import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { nearestFirst } from '../assignments/effective-assignments.ts'
import { toCommandMask } from '../distribution/commands.ts'
import { cancelOpenWork } from './cancel-work.ts'
import { type EffectivePackage, effectivePackages } from './effective-packages.ts'
import { reinstallGroupRows } from './reinstall-groups.ts'
import { openTask } from './tasks.ts'

/** What a reinstall that was asked for carries out, whatever the distribution options say. */
export const enforcedReinstall = toCommandMask(['Reinstall', 'Force'])

/** The effective package of a computer that meets the condition on `packages`; of several the nearest. */
export async function nearestPackage(
  db: Database,
  computerId: number,
  condition: RawBuilder<boolean>,
): Promise<EffectivePackage | undefined> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const { rows } = await sql<EffectivePackage>`
    select effective.*
    from (${effectivePackages(computer)}) as effective join packages on packages.id = effective.package_id
    where ${condition}
    order by ${nearestFirst('effective')}, effective.package_id
    limit 1`.execute(db)
  return rows[0]
}

/**
 * Makes work of the enforced reinstall of an effective package. The caller shares the trees of groups and holds the
 * computer. Work of the package that is open makes way.
 */
export async function requestReinstall(
  db: Database,
  kind: 'Reinstall' | 'Rescan',
  { computer_id: computerId, package_id: packageId, group_id: parentId }: EffectivePackage,
) {
  // Before the group, as reports do that end both.
  await cancelOpenWork(db, computerId, packageId)
  const groupId = await insertGroup(db, { computerId, packageId, parentId })
  const taskId = await openTask(db, { kind, computerId, groupId: parentId, packageId })
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
  // An activation may have come in between; its work makes way as well.
  while (!(await insertWork())) await cancelOpenWork(db, computerId, packageId)
  await sql`
    with told as (
      insert into distribution_events (computer_id, package_id, result, classification, install_mode)
      values (${computerId}, ${packageId}, 'Pending', 'Request', 'Reinstall')
    )
    insert into deployments (computer_id, package_id, pending_since) values (${computerId}, ${packageId}, now())
    on conflict on constraint deployments_pkey do update set pending_since = excluded.pending_since`.execute(db)
  return reinstallGroupRows(db).where('reinstall_groups.group_id', '=', groupId).executeTakeFirstOrThrow()
}

type NewReinstallGroup = { computerId: number; packageId: string; parentId: string }

async function insertGroup(db: Database, { computerId, packageId, parentId }: NewReinstallGroup): Promise<string> {
  // Its id is in its name, so that it never has that of another group.
  const { rows } = await sql<{ group_id: string }>`
    with fresh as materialized (
      select new_uuid() as id
    ), made as (
      insert into groups (id, tree, parent_id, kind, name, description)
      select fresh.id, parent.tree, parent.id, 'Reinstall', 'Reinstall ' || fresh.id,
        'Reinstall of ' || packages.name || ' on ' || computers.name
      from fresh, groups parent, packages, computers
      where parent.id = ${parentId} and packages.id = ${packageId} and computers.id = ${computerId}
      returning id, is_exclusive
    ), joined as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select id, ${computerId}::integer, is_exclusive from made
    )
    insert into reinstall_groups (group_id, computer_id, package_id)
    select id, ${computerId}::integer, ${packageId}::uuid from made
    returning group_id`.execute(db)
  const [made] = rows
  if (!made) throw new Error('The reinstall group has lost its parent, its package or its computer.')
  return made.group_id
}
