import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type Piece, removeReinstallGroup } from './record-deployment.ts'

type Dependent = { id: number; package_id: string; kind: string; reinstall_group_id: string | null }

/**
 * Closes, as failed, the open pieces of the computer that require the package of a piece that failed for good, and those
 * that require these. Where another version of the package is installed or on its way, nothing is closed.
 */
export async function closeDependents(db: Database, piece: Piece): Promise<void> {
  if (piece.package_name === null || piece.kind === 'Uninstall') return
  const dependents = await lockedDependents(db, piece.computer_id, piece.package_name)
  if (dependents.length === 0) return
  const ids = dependents.map(({ id }) => id)
  const packages = dependents.map(({ package_id }) => package_id)
  const errorText = `The required package ${[piece.name, piece.version].filter(Boolean).join(' ')} could not be installed.`
  await sql`
    update work set state = 'Failed', closed_at = now(), leased_until = null where id = any(${ids}::bigint[])`.execute(
    db,
  )
  await sql`
    with dependents as (
      select package_id from deployments
      where computer_id = ${piece.computer_id} and package_id = any(${packages}::uuid[])
      order by package_id
      for update
    )
    update deployments d set result = 'Failed', pending_since = null, failed_at = now(), error_text = ${errorText}
    from dependents where d.computer_id = ${piece.computer_id} and d.package_id = dependents.package_id`.execute(db)
  await sql`
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Failed', 'Dependency', kind from work where id = any(${ids}::bigint[])
    order by package_id`.execute(db)
  await removeReinstallGroup(db, dependents)
}

async function lockedDependents(db: Database, clientId: number, packageName: string): Promise<Dependent[]> {
  const { rows } = await sql<Dependent>`
    with recursive missing as (
      select lower(${packageName}) as name where ${isMissing(clientId, sql`lower(${packageName})`)}
      union
      select lower(p.package_name) from missing
        join package_requirements r on lower(r.required_name) = missing.name
        join packages p on p.id = r.package_id
        join work w on w.package_id = p.id and w.computer_id = ${clientId} and ${isOpenInstallation}
      where not ${isInstalled(clientId, sql`lower(p.package_name)`)}
    )
    select w.id, w.package_id, w.kind, w.reinstall_group_id from work w
    where w.computer_id = ${clientId} and ${isOpenInstallation} and exists (
      select from package_requirements r join missing on missing.name = lower(r.required_name)
      where r.package_id = w.package_id)
    order by w.package_id
    for update of w`.execute(db)
  return rows
}

const isOpenInstallation = sql`w.state in ('Due', 'Leased') and w.kind in ('Install', 'Update', 'Reinstall')`

const isInstalled = (clientId: number, name: ReturnType<typeof sql>) => sql`exists (
  select from deployments d join packages q on q.id = d.package_id
  where d.computer_id = ${clientId} and d.installation_state = 'Installed' and lower(q.package_name) = ${name})`

const isMissing = (clientId: number, name: ReturnType<typeof sql>) => sql`
  not ${isInstalled(clientId, name)} and not exists (
    select from work w join packages q on q.id = w.package_id
    where w.computer_id = ${clientId} and ${isOpenInstallation} and lower(q.package_name) = ${name})`
