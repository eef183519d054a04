import { sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { isProductOf, isVersionOf } from './find-drifts.ts'

/** How many drifts one transaction makes due. */
const maxDrifts = 500

const lockTimeoutMs = 2_000

/**
 * Makes software due again that was removed or replaced by hand, as often as the settings of the groups of a computer allow
 * within a day; the other drifts wait. The next comparison of the computer finds it missing. Returns how many became due.
 */
export async function repairDrifts(db: Database): Promise<number> {
  const { rows } = await sql`select from software_drifts where due_at is null limit 1`.execute(db)
  if (rows.length === 0) return 0
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
    if (!(await tryLockForTransaction(tx, 'convergence'))) return 0
    await deleteSettledDrifts(tx)
    const drifts = await listAllowedDrifts(tx)
    if (drifts.length > 0) await makeDue(tx, drifts)
    return drifts.length
  })
}

type Drift = { id: number; computerId: number }

/** What is back, or is not deployed any more, needs no repair. */
async function deleteSettledDrifts(db: Database): Promise<void> {
  await sql`
    delete from software_drifts drift using packages p
    where drift.due_at is null and p.id = drift.package_id and (
      not exists (
        select from deployments d
        where d.computer_id = drift.computer_id and d.package_id = drift.package_id and d.installation_state = 'Installed')
      or exists (
        select from installed_software installed join software_products product on product.id = installed.product_id
        where installed.computer_id = drift.computer_id and ${isProductOf(sql.ref('product.name'))}
          and ${isVersionOf(sql.ref('product.version'))}))`.execute(db)
}

async function listAllowedDrifts(db: Database): Promise<Drift[]> {
  const { rows } = await sql<Drift>`
    select id, computer_id as "computerId"
    from (
      select id, computer_id, row_number() over (partition by computer_id order by id) as place
      from software_drifts where due_at is null
    ) as waiting
    where place <= (
        select max(setting.max_repairs_per_day)
        from effective_memberships member
          join converged_groups converged on converged.group_id = member.group_id
          join group_convergence setting on setting.group_id = converged.owner_id
        where member.computer_id = waiting.computer_id
      ) - (
        select count(*) from software_drifts repaired
        where repaired.computer_id = waiting.computer_id and repaired.due_at > now() - interval '1 day')
    order by id limit ${maxDrifts}`.execute(db)
  return rows
}

async function makeDue(db: Database, drifts: readonly Drift[]): Promise<void> {
  const computerIds = [...new Set(drifts.map(({ computerId }) => computerId))]
  const ids = drifts.map(({ id }) => id)
  await sql`select from computers where id = any(${computerIds}::integer[]) order by id for key share`.execute(db)
  await sql`
    with found as materialized (
      select d.computer_id, d.package_id
      from software_drifts drift
        join deployments d on d.computer_id = drift.computer_id and d.package_id = drift.package_id
      where drift.id = any(${ids}::bigint[]) order by d.computer_id, d.package_id for update of d
    )
    update deployments d set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
    from found where d.computer_id = found.computer_id and d.package_id = found.package_id`.execute(db)
  await sql`update software_drifts set due_at = now() where id = any(${ids}::bigint[])`.execute(db)
  await sql`
    insert into convergence_marks (computer_id) select unnest(${computerIds}::integer[])`.execute(db)
}

/** Drifts are kept for longer than any issue looks back. */
const retention = sql`interval '180 days'`

export async function purgeDrifts(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from software_drifts where found_at < now() - ${retention} and due_at is not null`.execute(db)
  return Number(numAffectedRows)
}
