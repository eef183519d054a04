import { type RawBuilder, sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { LoggedEvent } from '../../platform/event-hub.ts'
import { getEventLogBounds, isInLog, readEvents } from '../events/event-log.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/** How many events one transaction looks at. */
const maxEvents = 1_000

type RemovedProduct = { computerId: number; name: string; version: string | null; at: Date }

type SoftwareChange = {
  section: string
  change: string
  items: { productName: string; version: string | null }[]
}

/**
 * Compares what scans have found to be gone since the last time with what is deployed through converged groups, and records the
 * differences. It reads the event log, so inventories cost no more than before. Returns whether more events may follow.
 */
export async function findDrifts(db: Database): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await tryLockForTransaction(tx, 'convergence'))) return false
    const position = await findPosition(tx)
    if (position === undefined) return false
    const { events, nextAfter, lastPosition } = await readEvents(tx, {
      after: position,
      types: ['muster.inventory.changed'],
      limit: maxEvents,
    })
    const removed = events.flatMap(toRemovedProducts)
    if (removed.length > 0) await recordDrifts(tx, removed)
    if (nextAfter !== position) await sql`update drift_cursor set position = ${nextAfter}::bigint`.execute(tx)
    return nextAfter < lastPosition
  })
}

/** Where to continue. Undefined if there is nothing to read: while no group is converged, or if this is the beginning. */
async function findPosition(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ position: number | null; isNeeded: boolean }>`
    select position::double precision as position,
      exists (select from group_convergence where is_on) as "isNeeded"
    from drift_cursor`.execute(db)
  const { position, isNeeded } = rows[0] ?? { position: null, isNeeded: false }
  if (!isNeeded && position === null) return undefined
  const bounds = await getEventLogBounds(db)
  if (isNeeded && position !== null && isInLog(position, bounds)) return position
  // The position is outside the log: events were dropped, or the database was restored. They say nothing about what is installed now.
  await sql`update drift_cursor set position = ${isNeeded ? bounds.lastPosition : null}::bigint`.execute(db)
  return undefined
}

function toRemovedProducts({ computer_id, occurred_at, data }: LoggedEvent): RemovedProduct[] {
  const { section, change, items } = data as SoftwareChange
  if (section !== 'installedSoftware' || change !== 'Removed' || computer_id === null) return []
  return items.map(({ productName, version }) => ({
    computerId: computer_id,
    name: productName,
    version,
    at: occurred_at,
  }))
}

/** Whether a product has the name of the package `p`, with or without a version behind it. Names of packages differ in case. */
export function isProductOf(name: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from unnest(array[p.name, p.package_name, p.manifest #>> '{commands,detect,dpkg,package}',
      p.manifest #>> '{commands,detect,rpm,package}', p.manifest #>> '{commands,detect,program,name}',
      split_part(p.manifest #>> '{source,package}', ':', 2)]) as known (name)
    where lower(${name}) = lower(known.name)
      or starts_with(lower(${name}), lower(known.name) || ' ') and substr(${name}, length(known.name) + 2) ~ '^[v(]?[0-9]')`
}

/**
 * Whether it is the version of the package `p`. Scans may add a build number or a revision to it. A package from a repository that
 * does not state an exact version accepts what the repository had.
 */
export function isVersionOf(version: RawBuilder<string | null>): RawBuilder<boolean> {
  return sql<boolean>`(
    coalesce(p.manifest ? 'source' and p.manifest #>> '{source,version}' is null, false) or
    ${version} is null or coalesce(p.version, '') = '' or ${version} = p.version
    or starts_with(${version}, p.version) and substr(${version}, length(p.version) + 1, 1) !~ '[0-9]')`
}

/** Another version of the package that is installed now, or the same again. */
const currentProduct = sql`(
  select product.name, product.version
  from installed_software installed join software_products product on product.id = installed.product_id
  where installed.computer_id = removed.computer_id and ${isProductOf(sql.ref('product.name'))}
  order by ${isVersionOf(sql.ref('product.version'))} desc, product.id limit 1)`

/** Whether the package of the deployment `d` comes through a group that is kept converged. */
const isConverged = sql<boolean>`exists (
  select from effective_memberships member
    join converged_groups converged on converged.group_id = member.group_id
    join group_ancestors above on above.descendant_id = member.group_id
    join assigned_packages assigned on assigned.group_id = above.ancestor_id
  where member.computer_id = d.computer_id and assigned.package_id = d.package_id)`

/** Software was removed by hand if no work with it is open, and it was deployed before the scan. */
async function recordDrifts(db: Database, removed: readonly RemovedProduct[]): Promise<void> {
  await sql`
    with removed as materialized (
      select * from unnest(${removed.map(({ computerId }) => computerId)}::integer[],
        ${removed.map(({ name }) => name)}::text[], ${removed.map(({ version }) => version)}::text[],
        ${removed.map(({ at }) => at)}::timestamptz[]) as removed (computer_id, name, version, at)
    )
    insert into software_drifts (computer_id, package_id, kind, product_name, product_version, found_version)
    select distinct on (d.computer_id, d.package_id) d.computer_id, d.package_id,
      case when present.name is null then 'Removed' else 'Replaced' end, removed.name, removed.version, present.version
    from removed
      join deployments d on d.computer_id = removed.computer_id and d.installation_state = 'Installed'
        and d.installed_at < removed.at
      join packages p on p.id = d.package_id and p.kind = 'Software'
      left join lateral ${currentProduct} as present on true
    where ${isProductOf(sql.ref('removed.name'))} and ${isVersionOf(sql.ref('removed.version'))} and ${isConverged}
      and (present.name is null or not ${isVersionOf(sql.ref('present.version'))})
      and not exists (
        select from work
        where work.computer_id = d.computer_id and work.package_id = d.package_id and ${isOpenWork('work.state')})
      and not exists (
        select from software_drifts known
        where known.computer_id = d.computer_id and known.package_id = d.package_id and known.due_at is null)
    order by d.computer_id, d.package_id, removed.at`.execute(db)
}
