import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { migrationsFolder } from '../../installation/files.ts'
import { MigrationError } from './migration-error.ts'
import { type AppliedMigration, readSqlFiles } from './sql-files.ts'

/**
 * Applies the files of the folder `repeatable` that this database does not have in this version, in the transaction of the
 * caller. Each file replaces everything that an earlier version of it has created, so it may change at any time.
 */
export async function applyRepeatableMigrations(client: pg.ClientBase, folder = migrationsFolder): Promise<void> {
  const files = await readRepeatableMigrations(folder)
  if (files.length === 0) return
  await createTableOfRepeatableMigrations(client)
  const { rows } = await client.query<AppliedMigration>('select name, checksum from repeatable_migrations')
  for (const { name, sql, checksum } of files) {
    if (rows.some((applied) => applied.name === name && applied.checksum === checksum)) continue
    try {
      await client.query(sql)
    } catch (error) {
      throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    await client.query(
      `insert into repeatable_migrations (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [name, checksum],
    )
  }
}

async function readRepeatableMigrations(folder: string) {
  // The tests of migrations use folders without it.
  const exists = (await readdir(folder)).includes('repeatable')
  return exists ? await readSqlFiles(join(folder, 'repeatable')) : []
}

async function createTableOfRepeatableMigrations(client: pg.ClientBase): Promise<void> {
  // A role that may not create tables is refused even if the table exists.
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('repeatable_migrations') is not null as exists`,
  )
  if (rows[0]?.exists) return
  await client.query(`create table repeatable_migrations (
    name text constraint repeatable_migrations_pkey primary key,
    checksum text not null,
    applied_at timestamptz not null default now())`)
}
