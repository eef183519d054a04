import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { startBackground } from '../../src/background.ts'
import { analyzeGrownTables } from '../../src/database/after-bulk-write.ts'
import { connect } from '../../src/database/connect.ts'
import { migrateAsOwner } from '../../src/database/migrations/migrate-as-owner.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { caller } from '../world/caller.ts'
import { givenIn } from '../world/given.ts'
import { databaseEnvironment, start, startBackup, startRestore, waitForSuccess } from './backup/commands.ts'
import { emptyDatabase, type Lifetime, ordinaryUser } from './backup/databases.ts'
import { temporaryFolder } from './embedded-postgres/muster.ts'

/** A database whose tables belong to one role, and that the service uses with another one. */
async function openWithTwoRoles(atEnd: Lifetime = onTestFinished) {
  const [owner, service] = [await ordinaryUser(), await ordinaryUser()]
  const owned = await emptyDatabase({ owner, atEnd })
  const ownerUrl = databaseEnvironment(owned).MUSTER_DATABASE_URL ?? ''
  const url = ownerUrl.replace(owner, service).replace(owner, service)
  const database = connect({ connectionString: url })
  atEnd(async () => {
    await database.close()
    await owned.pool.query(`drop owned by ${service}`).catch(() => undefined)
  })
  return { owned, owner, ownerUrl, service, url, database }
}

describe('the role of the service', async () => {
  const { database, ownerUrl } = await openWithTwoRoles(afterAll)
  await migrateAsOwner(database, ownerUrl)

  test('the role of the service cannot change, delete or unprotect the audit trail, but can append to it', async () => {
    await database.pool.query(`select append_audit_entry(null, 'test', 'test', '/', '{}', 200::smallint, '')`)

    for (const statement of [
      'alter table audit_entries disable trigger all',
      'alter table audit_entries disable trigger audit_entries_append_only',
      'drop trigger audit_entries_append_only on audit_entries',
      'alter table audit_entries owner to current_user',
      `set session_replication_role = 'replica'`,
      `update audit_entries set status = 500`,
      'delete from audit_entries',
      'truncate audit_entries',
      'drop table audit_entries',
      `insert into audit_entries (chain, position, occurred_at, principal_name, operation, target, request, status,
      request_id, previous_hash, hash) values (0, 2, now(), '', '', '', '{}', 200, '', '', '')`,
      'update audit_chains set position = 0',
      'delete from audit_chains',
      'truncate audit_chains',
      'insert into audit_chains (chain) values (9)',
      'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return new; end $$',
      'create table public.mine (id integer)',
      'delete from migrations',
      'delete from repeatable_migrations',
    ])
      await expect(database.pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/)
    const { rows } = await database.pool.query('select operation, status from audit_entries')
    expect(rows).toEqual([{ operation: 'test', status: 200 }])
  })

  test('the service works with the role that may only read and write rows, including its background work', async () => {
    const logged: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
    const configuration = { ...readConfiguration({}), packageStore: await temporaryFolder() }
    const app = await buildApp({ database, configuration, logger })
    const background = await startBackground({ database, configuration, logger })
    const { id } = await givenIn(database.db, app).localPrincipal({ roles: ['admin.manage'] })

    const created = await caller(app, await app.services.tokens.issue(id)).call(createLocalPrincipal, {
      body: { description: null, roles: ['pm.read'], expiresAtUtc: null },
    })

    await background.stop()
    await app.http.close()
    expect(created.status).toBe(200)
    expect(logged.filter((line) => /permission denied|must be owner/.test(line))).toEqual([])
  })

  test('the role of the service refreshes statistics of tables that it may not analyse itself', async () => {
    await database.pool.query(`
    insert into computers (name, domain, is_domain, uuid)
    select repeat('n', 200) || n, 'corp.example.org', true, md5(n::text)::uuid from generate_series(1, 10000) n`)
    const expectedRows = async () => {
      const { rows } = await database.pool.query<{ count: number }>(
        `select reltuples as count from pg_class where relname = 'computers'`,
      )
      return rows[0]?.count
    }
    await database.pool.query('analyze computers')
    expect(await expectedRows()).not.toBe(10_000)

    await analyzeGrownTables(database.db, ['computers', 'work'])

    expect(await expectedRows()).toBe(10_000)
  })
})

describe('the rights of the service', () => {
  test('they are granted again after a migration or a restore, and a second start changes nothing', async () => {
    const { database, ownerUrl, owned, url } = await openWithTwoRoles()
    await migrateAsOwner(database, ownerUrl)
    const environment = { MUSTER_DATABASE_URL: url, MUSTER_DATABASE_OWNER_URL: ownerUrl }
    const file = join(await temporaryFolder(), 'muster.backup')
    const rights = () =>
      owned.pool.query(
        `select relname, relacl::text, xmin::text from pg_class where relnamespace = 'public'::regnamespace`,
      )
    const before = (await rights()).rows

    // A node without the address of the owner starts as well if there is nothing to migrate.
    expect(await migrateAsOwner(database, undefined)).toEqual([])
    expect(await migrateAsOwner(database, ownerUrl)).toEqual([])
    expect((await rights()).rows).toEqual(before)
    await owned.pool.query('create table public.added (id integer)')
    await migrateAsOwner(database, ownerUrl)
    await database.pool.query('insert into added values (1)')
    await owned.pool.query('drop table public.added')
    await waitForSuccess(startBackup(file, environment))
    // Another history makes the restore create the tables again.
    await owned.pool.query(`insert into migrations (name, checksum) values ('9999_future.sql', 'x')`)
    const asService = await startRestore(file, { MUSTER_DATABASE_URL: url }, ['--force']).ended
    await waitForSuccess(startRestore(file, environment, ['--force']))
    await waitForSuccess(start('cli/verify-audit', [], environment))

    expect(asService.code).toBe(1)
    await database.pool.query(`insert into principals (kind) values ('local')`)
    await expect(database.pool.query('delete from audit_entries')).rejects.toThrow('permission denied')
  })

  test.each([
    ['is a superuser', (service: string) => `alter role ${service} superuser`, 'is a superuser'],
    [
      'is a member of the owner',
      (service: string, owner: string) => `grant ${owner} to ${service}`,
      'can act as the owner',
    ],
  ])('a role that %s is refused, because nothing would be protected from it', async (_, change, message) => {
    const { database, ownerUrl, service, owner } = await openWithTwoRoles()
    const server = await emptyDatabase()
    await server.pool.query(change(service, owner))

    await expect(migrateAsOwner(database, ownerUrl)).rejects.toThrow(message)
  })
})
