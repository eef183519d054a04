import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isDistributable } from '../packages/distributable.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { formatLineVersion, type LinePlatform, type LineVersion, listLines } from './line-versions.ts'
import { packageInUse } from './problems.ts'
import { readUsage, type UsedVersion, withUsage } from './version-usage.ts'

/** A version that nothing refers to. */
export type UnusedVersion = Pick<UsedVersion, 'id' | 'name' | 'version' | 'revision' | 'state' | 'sizeBytes'> & {
  platform: LinePlatform
  importedAtUtc: Date
  /** Whether it is the newest version of its line, which may wait to be used. */
  isNewest: boolean
  /** What its deletion alone frees: files that no other package has. */
  freedBytes: number
}

/** Lists the versions that nothing refers to, by name, and the bytes that the deletion of all of them frees. */
export async function listUnusedVersions(db: Database): Promise<{ items: UnusedVersion[]; freedBytes: number }> {
  const { rows } = await sql<{ id: string }>`select id from packages where ${isUnreferenced}`.execute(db)
  const ids = new Set(rows.map(({ id }) => id))
  const lines = (await listLines(db)).filter(({ versions }) => versions.some(({ id }) => ids.has(id)))
  const usage = await readUsage(
    db,
    lines.flatMap(({ versions }) => versions.map(({ id }) => id)),
  )
  const items: UnusedVersion[] = []
  for (const line of lines)
    for (const [place, version] of withUsage(line, usage).entries())
      if (ids.has(version.id) && version.state !== 'InUse')
        items.push(toUnused(version, line.platform, place === 0, await countFreedBytes(db, [version.id])))
  const freedBytes = await countFreedBytes(
    db,
    items.map(({ id }) => id),
  )
  return { items, freedBytes }
}

function toUnused(version: UsedVersion, platform: LinePlatform, isNewest: boolean, freedBytes: number): UnusedVersion {
  const { id, name, version: number, revision, state, sizeBytes, importedAtUtc } = version
  return { id, name, version: number, revision, state, sizeBytes, importedAtUtc, platform, isNewest, freedBytes }
}

export type Deletion = { deletedCount: number; freedBytes: number; deleted: string[] }

/**
 * Deletes packages that nothing refers to, all or none. Their content in the store is purged within the next hours, and with it the
 * folder of an uploaded package. The folder of an imported one belongs to those who made it.
 */
export async function deleteUnusedVersions(db: Database, packageIds: readonly string[]): Promise<Deletion> {
  const ids = [...new Set(packageIds)]
  // An assignment pins its package, so none can be made between the check and the deletion.
  const { rows } = await sql<Pick<LineVersion, 'id' | 'name' | 'version' | 'revision'>>`
    with locked as materialized (
      select id from packages where id = any(${ids}::uuid[]) order by id for update
    )
    select id, name, version, revision from packages where id in (select id from locked) order by name, version, id`.execute(
    db,
  )
  const { items } = await listUnusedVersions(db)
  const inUse = ids.filter((id) => !items.some((item) => item.id === id))
  if (inUse.length > 0) throw packageInUse({ packageIds: inUse })
  const freedBytes = await countFreedBytes(db, ids)
  await deleteResults(db, ids)
  await sql`delete from packages where id = any(${ids}::uuid[])`.execute(db)
  return { deletedCount: rows.length, freedBytes, deleted: rows.map(formatLineVersion) }
}

/** What is known about computers on which a package is not installed. In the order of computers, unlike a cascade. */
async function deleteResults(db: Database, ids: readonly string[]): Promise<void> {
  await sql`
    with pinned as materialized (
      select id from computers
      where id in (select computer_id from deployments where package_id = any(${ids}::uuid[])) order by id for key share
    ), locked as materialized (
      select computer_id, package_id from deployments
      where package_id = any(${ids}::uuid[]) and computer_id in (select id from pinned)
      order by computer_id, package_id for update
    )
    delete from deployments using locked
    where deployments.computer_id = locked.computer_id and deployments.package_id = locked.package_id`.execute(db)
}

/** The size of the content that only these packages have. */
async function countFreedBytes(db: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::double precision as bytes
    from (select distinct sha256, size from package_files where package_id = any(${ids}::uuid[])) as own
    where not exists (
        select from package_files other where other.sha256 = own.sha256 and other.package_id <> all(${ids}::uuid[]))
      and not exists (select from patch_contents content where content.sha256 = own.sha256)`.execute(db)
  return rows[0]?.bytes ?? 0
}

const isMissingIn = (rows: RawBuilder<unknown>) => sql<boolean>`not exists (select from ${rows})`

/** Whether a rollback may need the package: as the version that comes back, or as the one that is uninstalled. */
const isOfRecentUpgrade = sql`rollouts
  join package_upgrades upgrade on upgrade.id = rollouts.upgrade_id and upgrade.rolled_back_at is null
  left join package_upgrade_groups own on own.upgrade_id = upgrade.id
  where own.old_package_id = packages.id or upgrade.package_id = packages.id`

/** What decides which of several packages with a required name is pulled in (`required-packages.ts`). */
const precedence = (alias: string) =>
  sql`(${isDistributable(alias)}, version_numbers(${sql.ref(`${alias}.version`)}), ${sql.ref(`${alias}.imported_at`)})`

/** Whether another package requires the name, and no package for the same systems is pulled in before this one. */
const isNextRequired = sql`package_requirements needed
  where lower(needed.required_name) = lower(packages.package_name) and needed.package_id <> packages.id
    and not exists (
      select from packages other
      where lower(other.package_name) = lower(packages.package_name) and other.id <> packages.id
        and other.operating_systems = packages.operating_systems and ${precedence('other')} > ${precedence('packages')})`

/** Whether nothing refers to a row of `packages`. */
const isUnreferenced = sql<boolean>`(${sql.join(
  [
    sql`group_packages where package_id = packages.id`,
    sql`software_class_packages where package_id = packages.id`,
    sql`deployments where package_id = packages.id and (installation_state = 'Installed' or pending_since is not null)`,
    sql`work where package_id = packages.id and ${isOpenWork('state')}`,
    sql`rollouts where (package_id = packages.id or rolled_back_package_id = packages.id) and ended_at is null`,
    isOfRecentUpgrade,
    isNextRequired,
    sql`reinstall_groups where package_id = packages.id`,
    sql`agent_packages where package_id = packages.id`,
    sql`background_jobs where package_id = packages.id and status in ('Pending', 'Running')`,
  ].map(isMissingIn),
  sql` and `,
)})`
