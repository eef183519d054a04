import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { activate } from '../deployments/activation/activate.ts'
import { computerScope } from '../deployments/activation/activation-scope.ts'

/**
 * Records that a new operating system has replaced everything on the disk except these packages. What was reported about the
 * system before is about another one from now on.
 */
export async function recordReplacedSystem(db: Database, clientId: number, kept: readonly string[]): Promise<void> {
  await markInventoryAsOfBefore(db, clientId)
  await endResults(db, clientId, kept)
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
 * theirs; they run again with the next installation.
 */
async function endResults(db: Database, clientId: number, kept: readonly string[]): Promise<void> {
  await sql`
    with replaced as materialized (
      select package_id from deployments
      where computer_id = ${clientId} and (installation_state = 'Installed' or result = 'Failed')
        and package_id <> all(${kept}::uuid[])
      order by package_id for update
    )
    update deployments set installed_hash = null, installed_at = null,
      installation_state = case when installation_state = 'Installed' then 'NotInstalled' else installation_state end,
      result = case when packages.is_pre_os then result end,
      failed_at = case when packages.is_pre_os then failed_at end,
      error_text = case when packages.is_pre_os then error_text end
    from replaced join packages on packages.id = replaced.package_id
    where deployments.computer_id = ${clientId} and deployments.package_id = replaced.package_id`.execute(db)
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
