import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/connect.ts'
import { newAgentCredential } from '../../../src/features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../../src/platform/authentication/server-keys.ts'

export const packageCount = 20

type Range = { from: number; to: number }

/** The ids of the computers. Others, which the test enrols, have smaller ones. */
export const pilot: Range = { from: 1_001, to: 1_002 }
export const fleet: Range = { from: 1_003, to: 6_000 }

/** A pilot that the database has analysed. What is filled in afterwards goes unnoticed, as without autovacuum. */
export async function freezeStatisticsOfPilot(db: Database): Promise<void> {
  await addPackages(db)
  await addComputers(db, pilot)
  await addWork(db, pilot)
  await sql`analyze`.execute(db)
  await sql`
    do $$ declare one text; begin
      for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
        execute format('alter table %I set (autovacuum_enabled = off)', one);
      end loop;
    end $$`.execute(db)
}

/** Packages that are assigned to the root of the configuration tree. The last one requires the first one. */
async function addPackages(db: Database): Promise<void> {
  await sql`
    insert into packages (name, package_name, version, kind, is_operational, hash_state, content_hash, manifest)
    select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true, 'Current', ${randomBytes(32)},
      '{"commands": {"install": {"shell": "true"}}}'
    from generate_series(1, ${packageCount}::integer) n`.execute(db)
  await sql`
    insert into package_requirements (package_id, required_name)
    select id, 'Software 1' from packages where name = ${`Software ${packageCount}`}`.execute(db)
  await sql`
    insert into group_packages (group_id, package_id)
    select groups.id, packages.id from groups, packages
    where groups.tree = 'ConfigurationGroups' and groups.parent_id is null`.execute(db)
}

/** Computers in the root of the configuration tree, with agents. */
export async function addComputers(db: Database, { from, to }: Range): Promise<void> {
  await sql`
    insert into computers (id, name, domain, is_domain, mac_address) overriding system value
    select n, 'pc-' || n, 'corp.example.org', true, regexp_replace(lpad(to_hex(n), 12, '0'), '(..)(?=.)', '\\1:', 'g')
    from generate_series(${from}::integer, ${to}::integer) n`.execute(db)
  await sql`
    with added as (select id from computers where id between ${from} and ${to}),
      enrolled as (
        insert into agents (computer_id, secret_hash, enrolment_key_hash)
        select id, ${randomBytes(32)}, ${randomBytes(32)} from added),
      seen as (insert into computer_contacts (computer_id, last_seen_at) select id, now() from added)
    insert into group_computers (group_id, computer_id, is_exclusive)
    select groups.id, added.id, is_exclusive from groups, added
    where tree = 'ConfigurationGroups' and parent_id is null`.execute(db)
}

/** What an activation of these computers leaves. */
export async function addWork(db: Database, { from, to }: Range): Promise<void> {
  const { id } = await db.insertInto('tasks').values({ kind: 'Activation' }).returning('id').executeTakeFirstOrThrow()
  await db.transaction().execute(async (transaction) => {
    // Saves the checks of foreign keys, which take most of the time.
    await sql`set local session_replication_role = 'replica'`.execute(transaction)
    await sql`
      insert into work (computer_id, package_id, task_id, kind, commands)
      select n, p.id, ${id}::uuid, 'Install', 1 from generate_series(${from}::integer, ${to}::integer) n, packages p
      order by n, p.name`.execute(transaction)
    await sql`
      insert into deployments (computer_id, package_id, pending_since)
      select computer_id, package_id, now() from work where task_id = ${id} order by id`.execute(transaction)
    await sql`
      insert into distribution_events (computer_id, package_id, result, classification, install_mode)
      select computer_id, package_id, 'Pending', 'Activation', kind from work where task_id = ${id} order by id`.execute(
      transaction,
    )
  })
}

/** The credential of the agent of a computer that has one. */
export async function issueCredential(db: Database, keys: ServerKeys, clientId: number): Promise<string> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  await db.updateTable('agents').set({ secret_hash: secretHash }).where('computer_id', '=', clientId).execute()
  return credential
}
