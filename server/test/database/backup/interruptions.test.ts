import { execFileSync } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyOfTemplate } from '../../world/test-database.ts'
import { sharedFolder, temporaryFolder, until } from '../embedded-postgres/muster.ts'
import { backupOf, databaseEnvironment, startBackup, startRestore, waitForSuccess, writeBackup } from './commands.ts'
import { fillAuditTrail, migratedDatabase, type OwnDatabase } from './databases.ts'
import { fingerprint, removeRestoreEntry } from './fingerprint.ts'

// Backups do not change the database, so all tests share it.
const large = await copyOfTemplate()
await fillAuditTrail(large, 12_000)

const folder = sharedFolder()
let shared: Promise<string> | undefined

/** A finished backup of the large database, for the tests that need any. */
function sharedBackup(): Promise<string> {
  shared ??= writeBackup(large, join(folder.path, 'muster.backup'))
  return shared
}

const newFile = async () => join(await temporaryFolder(), 'muster.backup')

/** Waits until no other connection to the database is active. */
async function waitUntilAlone({ pool }: OwnDatabase): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query(`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
    return rows.length === 0 ? true : undefined
  })
}

test('a killed backup leaves no file under its final name and does not prevent the next backup', async () => {
  const file = await newFile()
  const killed = startBackup(file, databaseEnvironment(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  killed.child.kill('SIGKILL')
  const { signal } = await killed.ended
  const left = await readdir(dirname(file))
  await writeBackup(large, file)

  expect(signal).toBe('SIGKILL')
  expect(left).toEqual(['muster.backup.part'])
  expect(await readdir(dirname(file))).toEqual(['muster.backup'])
})

test('a backup that is interrupted with SIGTERM deletes its unfinished file', async () => {
  const file = await newFile()
  const stopped = startBackup(file, databaseEnvironment(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  stopped.child.kill('SIGTERM')
  const { code, output } = await stopped.ended

  expect(code).toBe(1)
  expect(output).toContain('Interrupted')
  expect(await readdir(dirname(file))).toEqual([])
})

test('a backup does not replace anything but a regular file', async () => {
  const pipe = await newFile()
  execFileSync('mkfifo', [pipe])

  const { code, output } = await startBackup(pipe, databaseEnvironment(large)).ended

  expect(code).toBe(1)
  expect(output).toContain('is not a regular file')
  expect((await stat(pipe)).isFIFO()).toBe(true)
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a restore that is ended with %s leaves the old data unchanged',
  async (signal) => {
    const file = await sharedBackup()
    const target = await migratedDatabase()
    await target.pool.query(`insert into principals (kind) values ('local'), ('user')`)
    const before = await fingerprint(target.pool)
    const restore = startRestore(file, databaseEnvironment(target), ['--force'])
    await until(() => (restore.output().includes('audit_chains') ? true : undefined))

    restore.child.kill(signal)
    await restore.ended
    await waitUntilAlone(target)

    expect(restore.output()).not.toContain('audit_entries')
    expect(await fingerprint(target.pool)).toEqual(before)
  },
)

test('a restore that fails at the very end leaves rows, sequences and triggers unchanged', async () => {
  const source = await migratedDatabase()
  await source.pool.query(`insert into principals (kind) select 'local' from generate_series(1, 9)`)
  const file = await backupOf(source)
  const target = await migratedDatabase()
  await target.pool.query(`
    create table few as select 1 as id;
    alter table few add primary key (id);
    insert into principals (kind) values ('local');
    alter table principals add constraint principals_few_fkey foreign key (id) references few initially deferred`)
  const before = await fingerprint(target.pool)

  const { code, output } = await startRestore(file, databaseEnvironment(target), ['--force']).ended

  expect(code).toBe(1)
  expect(output).toContain('principals_few_fkey')
  expect(await fingerprint(target.pool)).toEqual(before)
  await expect(target.pool.query('delete from audit_entries')).rejects.toThrow('append-only')
})

test('a backup that loses its connection fails and leaves no file', async () => {
  const file = await newFile()
  const backup = startBackup(file, databaseEnvironment(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  await large.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'copy %' and pid <> pg_backend_pid()`)
  const { code } = await backup.ended

  expect(code).toBe(1)
  expect(await readdir(dirname(file))).toEqual([])
})

test('a restore waits for a request in progress and does not make it fail', async () => {
  const source = await migratedDatabase()
  const file = await backupOf(source)
  const target = await migratedDatabase()
  const request = await target.pool.connect()
  await request.query('begin')
  await request.query(`insert into signing_keys (private_key) values ('{}')`)

  const restore = startRestore(file, databaseEnvironment(target))
  await until(async () => {
    const { rows } = await target.pool.query(`select from pg_stat_activity where query like 'lock table%'
      and datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length > 0 ? true : undefined
  })
  await sleep(500)
  await request.query(`insert into audit_chains (chain) values (99)`)
  await request.query('commit')
  await waitForSuccess(restore)

  await removeRestoreEntry(target.pool)
  expect(await fingerprint(target.pool)).toEqual(await fingerprint(source.pool))
  request.release()
})
