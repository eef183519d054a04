import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { ouVariableName } from '../server/src/features/computers/organizational-unit.ts'

/** The number of groups on each level of the configuration tree: 2,000 in total below the root. */
const levels = [20, 180, 1_800]

/**
 * Adds computers until there are `total`. They have numbered names and a few common kinds of inventory. Each is in one of
 * the deepest groups of the configuration tree, every second one also in an assignment group. The result is
 * deterministic, so runs can be compared.
 */
export async function growFleet(db: Database, total: number): Promise<void> {
  await growTree(db)
  const existing = await db
    .selectFrom('computers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  // Building the index afterwards is ten times faster than updating it for each row.
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef('computers_search_idx'::regclass) as definition`.execute(db)
  await sql`drop index computers_search_idx`.execute(db)
  await addComputers(db, existing.count + 1, total)
  await addDetails(db, existing.count + 1)
  await sql.raw(rows[0]?.definition ?? '').execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function growTree(db: Database): Promise<void> {
  const { rows } = await sql`select from groups where parent_id is not null limit 1`.execute(db)
  if (rows.length > 0) return
  for (const [depth, count] of levels.entries())
    await sql`
      with parents as (
        select id, tree, row_number() over (order by path) - 1 as position, count(*) over () as parent_count
        from groups where tree = 'ConfigurationGroups' and depth = ${depth}
      )
      insert into groups (tree, parent_id, name)
      select parents.tree, parents.id, 'Site ' || lpad(n::text, 4, '0')
      from generate_series(0, ${count - 1}::integer) n join parents on parents.position = n % parents.parent_count`.execute(
      db,
    )
  await sql`
    insert into groups (tree, parent_id, name)
    select tree, id, 'Wave ' || n from groups, generate_series(1, 50) n where tree = 'AssignmentGroups'`.execute(db)
  await sql`
    insert into variable_definitions (designation, dotted_name, kind, default_value)
    select 'Setting' || n, 'Setting' || n, 'Scalar', 'default ' || n from generate_series(1, 30) n`.execute(db)
  await sql`
    insert into group_variables (group_id, variable_id, value)
    select groups.id, v.id, 'of ' || groups.name from groups, variable_definitions v
    where v.designation like 'Setting%' and groups.tree = 'ConfigurationGroups'
      and (groups.depth < 3 or groups.name like '%5')`.execute(db)
  await sql`
    insert into group_variables (group_id, variable_id, value, is_forced)
    select groups.id, v.id, 'OU=' || groups.name || ',DC=corp,DC=example,DC=org', groups.depth = 2
    from groups, variable_definitions v
    where v.dotted_name = ${ouVariableName} and groups.tree = 'ConfigurationGroups'
      and (groups.depth = 1 or groups.depth = 2 and groups.name like '%7')`.execute(db)
}

async function addComputers(db: Database, from: number, to: number): Promise<void> {
  await sql`
    insert into computers (name, domain, is_domain, mac_address, uuid, pxe_support, inventory_id,
      reported_ip_address, ip_address, subnet_mask, modified_at, inventory_at, manufacturer, model, os_name, os_edition,
      os_version, os_build, platform, language, architecture, memory_mb)
    select 'pc-' || lpad(n::text, 7, '0'), 'site' || n % 40 || '.example.org', true,
      regexp_replace(lpad(to_hex(n::bigint * 7919), 12, '0'), '(..)(?=.)', '\\1:', 'g'), md5(n::text)::uuid,
      n % 2 = 0, 'INV-' || n,
      '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256,
      case when n % 10 = 0 then '172.16.' || n / 256 % 256 || '.' || n % 256 end,
      case when n % 10 = 0 then '255.255.0.0' end,
      timestamptz '2026-01-01' + n * interval '1 minute',
      case when n % 100 <> 0 then timestamptz '2026-01-01' + n * interval '30 seconds' end,
      (array['Contoso', 'Fabrikam', 'Northwind', 'Litware'])[n % 4 + 1], 'Model ' || n % 60,
      (array['Windows 11', 'Windows 10', 'Ubuntu'])[n % 3 + 1], (array['Pro', 'Enterprise', 'LTS'])[n % 3 + 1],
      '10.0.' || n % 7, (22000 + n % 700)::text, 'x64', (array['en-US', 'de-DE', 'fr-FR'])[n % 3 + 1],
      case when n % 20 = 0 then 'ARM64' else 'AMD64' end, 4096 * (1 + n % 8) + case when n % 2500 = 0 then 500000 else 0 end
    from generate_series(${from}::integer, ${to}::integer) n`.execute(db)
  await sql`
    insert into activations (computer_id, pxe)
    select id, true from computers where id between ${from} and ${to} and id % 5000 = 0`.execute(db)
}

async function addDetails(db: Database, from: number): Promise<void> {
  await sql`
    with added as (
      select id, split_part(name, '-', 2)::integer as n from computers where name >= 'pc-' || lpad(${from}::text, 7, '0')
    ), contacts as (
      insert into computer_contacts (computer_id, last_seen_at)
      select id, timestamptz '2026-06-01' + n * interval '10 seconds' from added where n % 200 <> 0
    ), bios as (
      insert into bios_records (computer_id, serial_number, manufacturer)
      select id, upper(substr(md5('serial' || n), 1, 8)), 'Contoso' from added
    ), own as (
      insert into computer_variables (computer_id, variable_id, value)
      select added.id, v.id, 'OU=Own' || n || ',DC=corp,DC=example,DC=org' from added, variable_definitions v
      where v.dotted_name = ${ouVariableName} and n % 50 = 0
    ), numbered_groups as (
      select id, tree, is_exclusive, row_number() over (partition by tree order by path) - 1 as position
      from groups where depth = case tree when 'ConfigurationGroups' then 3 else 1 end
    ), trees as (
      select tree, count(*) as group_count from numbered_groups group by tree
    )
    insert into group_computers (group_id, computer_id, is_exclusive)
    select numbered_groups.id, added.id, numbered_groups.is_exclusive
    from added cross join trees
      join numbered_groups on numbered_groups.tree = trees.tree and numbered_groups.position = added.n % trees.group_count
    where trees.tree = 'ConfigurationGroups' or added.n % 2 = 0`.execute(db)
}
