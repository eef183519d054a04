import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { withoutIndexes } from './without-indexes.ts'

const products = 3_000
const services = 500
const packages = 40

/**
 * Gives every computer 3 disks, an agent, 150 products, 60 services and 20 deployments, and every second one a battery. A
 * few percent have each of the issues. The result is deterministic, so runs can be compared.
 */
export async function growInventory(db: Database): Promise<void> {
  await growTimes(db)
  await growHardware(db)
  await growSoftware(db)
  await growDeployments(db)
  await sql`vacuum analyze`.execute(db)
}

/** Spreads the times of contacts and inventories over the recent past. */
async function growTimes(db: Database): Promise<void> {
  await withoutIndexes(
    db,
    ['computers_search_idx'],
    [
      sql`
      update computers set inventory_at = now() - (id % 13) * interval '1 day'
        - case when id % 25 = 0 then interval '20 days' else interval '0' end
      where inventory_at is not null`,
      sql`
      update computer_contacts set last_seen_at = now() - (computer_id % 20) * interval '1 hour'
        - case when computer_id % 30 = 0 then interval '5 days' else interval '0' end`,
    ],
  )
}

async function growHardware(db: Database): Promise<void> {
  await withoutIndexes(
    db,
    ['disk_drives_free_percent_idx', 'disk_drives_free_space_gb_idx', 'disk_drives_unencrypted_idx'],
    [
      sql`
      insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
      select id, n, chr(67 + n) || ':', case n when 2 then 2 else 3 end, 500,
        case when n = 0 and id % 20 = 0 then id % 50 else 100 + id % 300 end,
        case when id % 15 = 0 then 'Unencrypted' else 'Encrypted' end
      from computers, generate_series(0, 2) n order by id, n`,
      sql`
      insert into batteries (computer_id, position, name, designed_capacity_mwh, full_charged_capacity_mwh)
      select id, 0, 'BAT0', 57000, case when id % 16 = 0 then 28000 else 50000 end from computers where id % 2 = 0`,
      sql`
      insert into agents (computer_id, secret_hash, enrolment_key_hash, is_reboot_required, boot_at, suspension_mode)
      select id, '\\x00', '\\x00', id % 12 = 0, now() - id % 40 * interval '1 day',
        case when id % 100 = 7 then 'Suspended' end
      from computers`,
    ],
  )
}

async function growSoftware(db: Database): Promise<void> {
  await sql`
    insert into software_products (name, version, publisher)
    select 'Product ' || n, '1.' || n % 17, 'Publisher ' || n % 90 from generate_series(1, ${products}::integer) n`.execute(
    db,
  )
  await sql`
    insert into service_definitions (name, start_mode)
    select 'service-' || n, 'Automatic' from generate_series(1, ${services}::integer) n`.execute(db)
  await withoutIndexes(
    db,
    ['installed_software_product_id_idx', 'computer_services_definition_id_idx'],
    [
      sql`
      insert into installed_software (computer_id, product_id)
      select id, (id * 7 + n * 20) % ${products}::integer + 1 from computers, generate_series(0, 149) n`,
      sql`
      insert into computer_services (computer_id, definition_id, status)
      select id, (id + n * 8) % ${services}::integer + 1, 'Running' from computers, generate_series(0, 59) n`,
    ],
  )
}

async function growDeployments(db: Database): Promise<void> {
  await sql`
    insert into packages (name, package_name, version, folder)
    select 'Package ' || n, 'Package ' || n, '1.0', 'package-' || n from generate_series(1, ${packages}::integer) n`.execute(
    db,
  )
  const numbered = sql`select id, row_number() over (order by id) - 1 as position from packages where folder like 'package-%'`
  const pending: RawBuilder<unknown> = sql`
    insert into work (computer_id, package_id, task_id, kind)
    select computer_id, package_id, task.id, 'Install' from deployments, task where pending_since is not null`
  await withoutIndexes(
    db,
    ['deployments_package_id_idx', 'deployments_failed_idx', 'deployments_pending_since_idx'],
    [
      sql`
      insert into deployments (computer_id, package_id, result, pending_since, installation_state, failed_at, error_text)
      select c.id, p.id, case when at % 50 = 1 then 'Failed' when at % 30 = 2 then null else 'Success' end,
        case when at % 50 <> 1 and at % 30 = 2 then now() - c.id % 60 * interval '1 hour' end,
        case when at % 50 = 1 then 'NotInstalled' else 'Installed' end,
        case when at % 50 = 1 then now() - interval '1 hour' end, case when at % 50 = 1 then 'The command ended with code 1603.' end
      from computers c cross join generate_series(0, 19) n cross join lateral (select c.id * 13 + n * 7 as at) as spread
        join (${numbered}) as p on p.position = (c.id + n * 2) % ${packages}::integer`,
      sql`with task as (insert into tasks (kind) values ('Activation') returning id) ${pending}`,
    ],
  )
}
