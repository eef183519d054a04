import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../../src/database/migrations/migrate.ts'
import { getFleetOverview } from '../../../src/features/fleet/api/get-fleet-overview.ts'
import { createLocalPrincipal } from '../../../src/features/principals/api/create-local-principal.ts'
import { listLocalPrincipals } from '../../../src/features/principals/api/list-local-principals.ts'
import { migrationsFolder } from '../../../src/installation/files.ts'
import { openWorld } from '../../world/open-world.ts'
import { sharedFolder, temporaryFolder } from '../embedded-postgres/muster.ts'
import { backupOf, databaseEnvironment, startBackup, startRestore, waitForSuccess } from './commands.ts'
import { emptyDatabase, fillAuditTrail, migratedDatabase, ordinaryUser } from './databases.ts'
import { fingerprint, removeRestoreEntry } from './fingerprint.ts'

const { as, given, database: source } = await openWorld({ hasOwnDatabase: true })
const admin = as('admin.manage')
for (const description of ['reports', 'ünïcödé ☂', null])
  await admin.call(createLocalPrincipal, { body: { description, roles: ['computer.read'], expiresAtUtc: null } })

const folder = sharedFolder()
let shared: Promise<{ file: string; backedUp: Awaited<ReturnType<typeof fingerprint>> }> | undefined

/** One backup for all tests that need any backup. Later tests change the database from which it was made. */
function sharedBackup() {
  shared ??= (async () => {
    const file = join(folder.path, 'muster.backup')
    await waitForSuccess(startBackup(file, databaseEnvironment(source)))
    return { file, backedUp: await fingerprint(source.pool) }
  })()
  return shared
}

test('a backup restored into an empty database is identical to the original, byte for byte, begins a new event log far beyond every position of the old one, and notifies every listening node', async () => {
  const { file, backedUp } = await sharedBackup()
  const target = await emptyDatabase()
  const listener = await target.pool.connect()
  const channels: string[] = []
  listener.on('notification', ({ channel }) => channels.push(channel))
  await listener.query('listen muster_restored')

  await waitForSuccess(startRestore(file, databaseEnvironment(target)))

  const { rows } = await listener.query(
    'select last_position as last, (select count(*) from event_outbox) as waiting from event_log',
  )
  expect(rows).toEqual([{ last: expect.any(Number), waiting: 0 }])
  expect(rows[0]?.last).toBeGreaterThanOrEqual(2 ** 32)
  expect(channels).toEqual(['muster_restored'])
  listener.release()
  await removeRestoreEntry(target.pool)
  expect(await fingerprint(target.pool)).toEqual(backedUp)
})

test('the overview shows administrators when the last backup succeeded', async () => {
  await sharedBackup()

  const { body: shown } = await as('computer.read', 'admin.manage').call(getFleetOverview)
  const { body: hidden } = await as('computer.read').call(getFleetOverview)

  expect(Date.now() - Date.parse(shown.steps.lastBackupUtc ?? '')).toBeLessThan(600_000)
  expect(hidden.steps.lastBackupUtc).toBeNull()
})

test('a backup made while requests write is a consistent snapshot', async () => {
  const file = join(await temporaryFolder(), 'muster.backup')
  const target = await migratedDatabase()
  await fillAuditTrail(source, 3_000)
  const backup = startBackup(file, databaseEnvironment(source))
  let hasEnded = false
  void backup.ended.then(() => {
    hasEnded = true
  })

  let written = 0
  for (; !hasEnded; written++)
    await admin.call(createLocalPrincipal, {
      body: { description: 'made meanwhile', roles: ['group.read'], expiresAtUtc: null },
    })
  await waitForSuccess(backup)
  await waitForSuccess(startRestore(file, databaseEnvironment(target)))

  const { rows } = await target.pool.query(`
    select
      (select count(*) from audit_chains c where position > 0 and not exists (select from audit_entries e
        where e.chain = c.chain and e.position = c.position and e.hash = c.hash)) as heads_without_entry,
      (select count(*) from audit_chains c join audit_entries e on e.chain = c.chain
        where e.position > c.position and e.principal_name <> 'filler') as entries_beyond_head,
      (select count(*) from local_principals where description = 'made meanwhile') as principals,
      (select count(*) from audit_entries where request::text like '%made meanwhile%') as entries`)
  expect(written).toBeGreaterThan(5)
  expect(rows[0]).toMatchObject({ heads_without_entry: 0, entries_beyond_head: 0, entries: rows[0].principals })
})

test('a restore replaces an installation in use completely, is audited, and keeps the audit trail append-only', async () => {
  const file = await backupOf(source)
  const before = await fingerprint(source.pool)
  await given.localPrincipal()
  await fillAuditTrail(source, 100)
  const { rows: replacedTrail } = await source.pool.query(
    `select chain, position, encode(hash, 'hex') as hash from audit_chains where position > 0 order by chain`,
  )

  await waitForSuccess(startRestore(file, databaseEnvironment(source), ['--force']))

  const entry = await removeRestoreEntry(source.pool)
  expect(entry).toMatchObject({
    principal_id: null,
    principal_name: expect.stringMatching(/^operator ./),
    request: { file: 'muster.backup', backupCreatedAt: expect.any(String), replacedTrail },
  })
  expect(await fingerprint(source.pool)).toEqual(before)
  await expect(source.pool.query('delete from audit_entries')).rejects.toThrow('append-only')
  const created = await admin.call(createLocalPrincipal, {
    body: { description: 'after', roles: ['computer.read'], expiresAtUtc: null },
  })
  const { raw } = await admin.call(listLocalPrincipals)
  expect(JSON.stringify(raw)).toContain(created.body.id)
})

test('events reach the log after a restore on a day that has events already', async () => {
  const file = await backupOf(source)
  await given.localPrincipal()
  await sequenceEvents()

  await waitForSuccess(startRestore(file, databaseEnvironment(source), ['--force']))
  await removeRestoreEntry(source.pool)
  await given.localPrincipal()

  expect(await sequenceEvents()).toBeGreaterThan(0)
})

async function sequenceEvents(): Promise<number> {
  const { rows } = await source.pool.query<{ moved: number }>('select sequence_events(1000) as moved')
  return rows[0]?.moved ?? 0
}

test('an installation in use is not replaced without --force, and the message lists what would be lost', async () => {
  const { file } = await sharedBackup()
  const before = await fingerprint(source.pool)

  const { code, output } = await startRestore(file, databaseEnvironment(source)).ended

  expect(code).toBe(1)
  expect(output).toMatch(/in use since .* would replace all of it: \d+ rows in .*--force/)
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('a database of another program is never changed, even with --force', async () => {
  const { file } = await sharedBackup()
  const target = await emptyDatabase()
  await target.pool.query('create table theirs as select 7 as seven')

  const { code, output } = await startRestore(file, databaseEnvironment(target), ['--force']).ended

  expect(code).toBe(1)
  expect(output).toContain('tables of another program')
  expect((await target.pool.query('select seven from theirs')).rows).toEqual([{ seven: 7 }])
})

test('a backup of an earlier version is restored and then migrated to this version', async () => {
  const earlier = join(await temporaryFolder(), 'migrations')
  await mkdir(earlier)
  const [first = '', second = ''] = (await readdir(migrationsFolder)).sort()
  for (const name of [first, second]) await cp(join(migrationsFolder, name), join(earlier, name))
  const old = await emptyDatabase()
  await migrate(old.pool, { folder: earlier })
  await old.pool.query(`insert into principals (kind) values ('local')`)
  const file = await backupOf(old)
  const [empty, current] = [await emptyDatabase(), await migratedDatabase()]
  await fillAuditTrail(current, 10)

  await waitForSuccess(startRestore(file, databaseEnvironment(empty)))
  await waitForSuccess(startRestore(file, databaseEnvironment(current), ['--force']))
  const { '"public"."migrations"': _, ...backedUp } = await fingerprint(old.pool)
  await migrate(old.pool)
  const upgraded = await fingerprint(old.pool)

  for (const { pool } of [empty, current]) {
    expect(await migrate(pool)).toEqual([])
    await removeRestoreEntry(pool)
    const restored = await fingerprint(pool)
    for (const table of Object.keys(backedUp)) expect(restored[table], table).toBe(upgraded[table])
    expect((await pool.query('select id from audit_entries')).rows).toEqual([])
  }
})

test('a backup of a newer version is refused with the name of its migration, and nothing changes', async () => {
  const newer = await migratedDatabase()
  await newer.pool.query(`insert into migrations (name, checksum) values ('9999_future.sql', 'x')`)
  const file = await backupOf(newer)
  const target = await migratedDatabase()
  const before = await fingerprint(target.pool)

  const { code, output } = await startRestore(file, databaseEnvironment(target), ['--force']).ended

  expect(code).toBe(1)
  expect(output).toMatch(/newer version of Muster .*9999_future\.sql/)
  expect(await fingerprint(target.pool)).toEqual(before)
})

test('a database that a newer version has migrated is reset to the state of the backup', async () => {
  const { file, backedUp } = await sharedBackup()
  const target = await migratedDatabase()
  await target.pool.query(`
    insert into migrations (name, checksum) values ('9999_future.sql', 'x');
    create type mood as enum ('good');
    create function future() returns mood language sql as $$ select 'good'::mood $$;
    create table future (id integer generated always as identity, mood mood default future());
    alter table principals add column future text, drop column is_protected`)

  await waitForSuccess(startRestore(file, databaseEnvironment(target)))

  await removeRestoreEntry(target.pool)
  expect(await fingerprint(target.pool)).toEqual(backedUp)
})

test('the owner of the tables can back up and restore without other rights, even with cyclic references', async () => {
  const owner = await ordinaryUser()
  const own = await emptyDatabase({ owner })
  await migrate(own.pool)
  await own.pool.query(`
    create schema queue;
    create type mood as enum ('good', 'bad');
    create table queue.hens (id bigint generated always as identity primary key, egg bigint, moods mood[], next bigint
      constraint hens_next_fkey references queue.hens);
    create table queue.eggs (id bigint generated by default as identity primary key, hen bigint not null
      constraint eggs_hen_fkey references queue.hens, weight float8, laid interval, size float8 generated always as (weight * 2) stored);
    alter table queue.hens add constraint hens_egg_fkey foreign key (egg) references queue.eggs;
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    insert into queue.hens (moods, next) values ('{good,bad}', 2), ('{}', 1);
    insert into queue.eggs (hen, weight, laid) values (1, 0.1 + 0.2, '1 mon -3 days 04:05:06.789'), (2, 'NaN', null);
    update queue.hens set egg = 3 - id;
    create trigger refuse before insert or update or delete on queue.eggs execute function refuse();
    create trigger asleep before insert on queue.hens execute function refuse();
    alter table queue.hens disable trigger asleep;
    select setval(pg_get_serial_sequence('queue.eggs', 'id'), 9007199254740993, false)`)
  const before = await fingerprint(own.pool)
  const rules = `select conname, condeferrable, condeferred, null from pg_constraint where contype = 'f'
    union all select tgname, null, null, tgenabled from pg_trigger where not tgisinternal order by 1`
  const rulesBefore = (await own.pool.query(rules)).rows
  const file = await backupOf(own)
  await own.pool.query(`
    alter table queue.eggs disable trigger user;
    update queue.hens set egg = null;
    delete from queue.eggs;
    alter table queue.eggs enable trigger user`)
  await own.pool.query(`insert into queue.hens (moods) values ('{bad}')`)

  await waitForSuccess(startRestore(file, databaseEnvironment(own), ['--force']))

  await removeRestoreEntry(own.pool)
  expect(await fingerprint(own.pool)).toEqual(before)
  expect((await own.pool.query(rules)).rows).toEqual(rulesBefore)
})
