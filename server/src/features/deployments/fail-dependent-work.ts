import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { closeWork } from '../work-states/close-work.ts'
import { insertDistributionEvents } from '../work-states/distribution-events.ts'
import { isOpenInstallation, type WorkKind } from '../work-states/work-states.ts'
import { deleteReinstallGroups } from './reinstall-groups.ts'
import type { WorkItem } from './work-items.ts'

type DependentWork = {
  id: number
  package_id: string
  kind: WorkKind
  reinstall_group_id: string | null
  name: string
  version: string | null
  package_name: string
}

/** Work that has failed for good. */
type FailedItem = Pick<WorkItem, 'computer_id' | 'package_id' | 'kind' | 'name' | 'version' | 'package_name'>

/**
 * Fails the open installations on the computer that require the package of an item that has failed for good, directly or
 * through other packages. Does nothing if another version of the package is installed or about to be installed. Of a removal, it fails
 * the installations that were to follow, and what requires these: those of a rollback, and of packages that supersede it.
 */
export async function failDependentWork(db: Database, item: FailedItem): Promise<void> {
  if (item.package_name === null) return
  const isRemoval = item.kind === 'Uninstall'
  const dependents = isRemoval
    ? await lockFollowingWork(db, item)
    : await lockDependentWork(db, item.computer_id, item.package_name)
  if (dependents.length === 0) return
  await failDependents(db, item, dependents)
  // Among those that require a package, there are already those that require it through others.
  if (isRemoval) for (const follower of dependents) await failDependentWork(db, { ...item, ...follower })
}

async function failDependents(db: Database, item: FailedItem, dependents: readonly DependentWork[]): Promise<void> {
  const ids = dependents.map(({ id }) => id)
  const packages = dependents.map(({ package_id }) => package_id)
  const label = [item.name, item.version].filter(Boolean).join(' ')
  const errorText =
    item.kind === 'Uninstall'
      ? `${label} could not be uninstalled, so what was to take its place was not installed.`
      : `The required package ${label} could not be installed.`
  await closeWork('Failed', 'Service', sql`where id = any(${ids}::bigint[])`).execute(db)
  await sql`
    with dependents as (
      select package_id from deployments
      where computer_id = ${item.computer_id} and package_id = any(${packages}::uuid[])
      order by package_id
      for update
    )
    update deployments d set result = 'Failed', pending_since = null, failed_at = now(), error_text = ${errorText}
    from dependents where d.computer_id = ${item.computer_id} and d.package_id = dependents.package_id`.execute(db)
  await insertDistributionEvents({
    from: sql`work where id = any(${ids}::bigint[]) order by package_id`,
    result: 'Failed',
    classification: 'Dependency',
    installMode: sql.ref('kind'),
  }).execute(db)
  // The setup error log shows what commands have printed; none ran here.
  await sql`
    insert into task_failure_changes (task_id, work_id, error_text, is_final)
    select task_id, id, ${errorText}, true from work where id = any(${ids}::bigint[])`.execute(db)
  await deleteReinstallGroups(db, dependents)
}

/**
 * Locks the open installations on the computer that require a package of this name, directly or through others; none if the package is
 * installed or about to be installed. The caller has locked all open work.
 */
export async function lockDependentWork(db: Database, clientId: number, packageName: string): Promise<DependentWork[]> {
  const { rows } = await sql<DependentWork>`
    with recursive missing as (
      select lower(${packageName}) as name where ${isMissing(clientId, sql`lower(${packageName})`)}
      union
      select lower(p.package_name) from missing
        join package_requirements r on lower(r.required_name) = missing.name
        join packages p on p.id = r.package_id
        join work w on w.package_id = p.id and w.computer_id = ${clientId} and ${isOpenInstallation('w')}
      where not ${isInstalled(clientId, sql`lower(p.package_name)`)}
    )
    select ${dependentColumns} from work w join packages on packages.id = w.package_id
    where w.computer_id = ${clientId} and ${isOpenInstallation('w')} and exists (
      select from package_requirements r join missing on missing.name = lower(r.required_name)
      where r.package_id = w.package_id)
    order by w.package_id
    for update of w`.execute(db)
  return rows
}

const dependentColumns = sql<DependentWork>`
  w.id, w.package_id, w.kind, w.reinstall_group_id, packages.name, packages.version, packages.package_name`

/** Locks the open installations that wait for the removal of a package, because it is rolled back or they supersede it. */
async function lockFollowingWork(db: Database, item: FailedItem): Promise<DependentWork[]> {
  const { computer_id, package_id, package_name } = item
  const { rows } = await sql<DependentWork>`
    select ${dependentColumns} from work w join packages on packages.id = w.package_id
    where w.computer_id = ${computer_id} and ${isOpenInstallation('w')} and (
      w.rolled_back_package_id = ${package_id}
      or ${isInstalled(computer_id, sql`lower(${package_name})`)} and exists (
        select from package_supersedes superseded
        where superseded.package_id = w.package_id and superseded.uninstalls_first
          and lower(superseded.superseded_name) = lower(${package_name})))
    order by w.package_id
    for update of w`.execute(db)
  return rows
}

function isInstalled(clientId: number, name: RawBuilder<string>): RawBuilder<boolean> {
  return sql`exists (
    select from deployments d join packages q on q.id = d.package_id
    where d.computer_id = ${clientId} and d.installation_state = 'Installed' and lower(q.package_name) = ${name})`
}

function isMissing(clientId: number, name: RawBuilder<string>): RawBuilder<boolean> {
  return sql`
    not ${isInstalled(clientId, name)} and not exists (
      select from work w join packages q on q.id = w.package_id
      where w.computer_id = ${clientId} and ${isOpenInstallation('w')} and lower(q.package_name) = ${name})`
}
