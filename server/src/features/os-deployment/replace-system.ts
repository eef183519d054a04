import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { activate } from '../deployments/activation/activate.ts'
import { computerScope } from '../deployments/activation/activation-scope.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'

/**
 * Records that a new operating system has replaced everything on the disk except these packages. What was reported about the
 * previous system does not describe this one.
 */
export async function recordReplacedSystem(db: Database, clientId: number, kept: readonly string[]): Promise<void> {
  await markInventoryAsOfBefore(db, clientId)
  await endResults(db, clientId, kept)
  await endLeases(db, clientId)
  await cancelFixWork(db, clientId)
}

/** Without the hashes of its sections, the next inventory is stored even if nothing in it differs. */
async function markInventoryAsOfBefore(db: Database, clientId: number): Promise<void> {
  await sql`
    with replaced as (
      update computers set os_installed_at = now() where id = ${clientId}
    )
    delete from inventory_sections where computer_id = ${clientId}`.execute(db)
}

/**
 * What was installed or had failed has no result on the new system. Packages that run before the operating system keep
 * theirs.
 */
async function endResults(db: Database, clientId: number, kept: readonly string[]): Promise<void> {
  await sql`
    with replaced as materialized (
      select d.package_id from deployments d join packages p on p.id = d.package_id and not p.is_pre_os
      where d.computer_id = ${clientId} and (d.installation_state = 'Installed' or d.result = 'Failed')
        and d.package_id <> all(${kept}::uuid[])
      order by d.package_id for update of d
    )
    update deployments set installed_hash = null, installed_at = null, result = null, failed_at = null, error_text = null,
      installation_state = case when installation_state = 'Installed' then 'NotInstalled' else installation_state end
    from replaced
    where deployments.computer_id = ${clientId} and deployments.package_id = replaced.package_id`.execute(db)
}

/** The agent that had this work has ended with its system. What the new system needs of it is decided when it is published. */
async function endLeases(db: Database, clientId: number): Promise<void> {
  await sql`
    update work set state = 'Due', leased_until = null, run_id = null, progress = null
    from packages
    where work.computer_id = ${clientId} and work.state = 'Leased'
      and packages.id = work.package_id and not packages.is_pre_os`.execute(db)
}

/** The previous system lacked these patches. The first scan of the new one says what it lacks. */
async function cancelFixWork(db: Database, clientId: number): Promise<void> {
  await sql`
    with fixes as materialized (
      select work.id from work join tasks on tasks.id = work.task_id and tasks.kind = 'Remediation'
      where work.computer_id = ${clientId} and ${isOpenWork('work.state')}
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from fixes`, { reason: 'SystemInstalled' })}
    select from cancelled`.execute(db)
}

/**
 * Creates the work that is due on the new system through the groups for which the computer is activated. What other groups
 * assign waits for their activation.
 */
export async function publishAgain(db: Database, clientId: number): Promise<void> {
  await activate(db, {
    scope: {
      ...computerScope(clientId, true),
      memberships: sql`
        select computer_id, group_id from activations
        where computer_id = ${clientId} and group_id is not null and software`,
    },
    software: true,
    pxe: false,
    pull: false,
    wakeAt: null,
    srl: null,
    task: { kind: 'Activation', computerId: clientId },
    // The new system has nothing that could be removed.
    limit: { within: sql<boolean>`true` },
  })
}
