import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyOfTemplate } from '../../world/test-database.ts'
import { temporaryFolder, until } from '../embedded-postgres/muster.ts'
import { onDatabaseOf, startBackup, startRestore, succeeded } from './commands.ts'
import { fillAuditTrail, migratedDatabase, type OwnDatabase } from './databases.ts'
import { fingerprint } from './fingerprint.ts'

// No backup changes it, so that one is enough for all.
const large = await copyOfTemplate()
await fillAuditTrail(large, 20_000)

const newFile = async () => join(await temporaryFolder(), 'muster.backup')

/** Other connections to the database, but for those that only rest. */
async function untilAlone({ pool }: OwnDatabase): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query(`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
    return rows.length === 0 ? true : undefined
  })
}

test('a backup that is killed leaves no file under its name, and does not stop the next', async () => {
  const file = await newFile()
  const killed = startBackup(file, onDatabaseOf(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  killed.child.kill('SIGKILL')
  const { signal } = await killed.ended
  const left = await readdir(dirname(file))
  await succeeded(startBackup(file, onDatabaseOf(large)))

  expect(signal).toBe('SIGKILL')
  expect(left).toEqual(['muster.backup.part'])
  expect(await readdir(dirname(file))).toEqual(['muster.backup'])
})

test('a backup that is asked to stop takes its unfinished file with it', async () => {
  const file = await newFile()
  const stopped = startBackup(file, onDatabaseOf(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  stopped.child.kill('SIGTERM')
  const { code, told } = await stopped.ended

  expect(code).toBe(1)
  expect(told).toContain('Interrupted')
  expect(await readdir(dirname(file))).toEqual([])
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a restore that ends by %s leaves the old data as it was',
  async (signal) => {
    const file = await newFile()
    await succeeded(startBackup(file, onDatabaseOf(large)))
    const target = await migratedDatabase()
    await target.pool.query(`insert into principals (kind) values ('local'), ('user')`)
    const before = await fingerprint(target.pool)
    const restore = startRestore(file, onDatabaseOf(target), ['--force'])
    await until(() => (restore.output().includes('audit_chains') ? true : undefined))

    restore.child.kill(signal)
    await restore.ended
    await untilAlone(target)

    expect(restore.output()).not.toContain('audit_entries')
    expect(await fingerprint(target.pool)).toEqual(before)
  },
)

test('a restore that fails at the very end leaves rows, sequences and triggers as they were', async () => {
  const source = await migratedDatabase()
  await source.pool.query(`insert into principals (kind) select 'local' from generate_series(1, 9)`)
  const file = await newFile()
  await succeeded(startBackup(file, onDatabaseOf(source)))
  const target = await migratedDatabase()
  await target.pool.query(`
    create table few as select 1 as id;
    alter table few add primary key (id);
    insert into principals (kind) values ('local');
    alter table principals add constraint principals_few_fkey foreign key (id) references few initially deferred`)
  const before = await fingerprint(target.pool)

  const { code, told } = await startRestore(file, onDatabaseOf(target), ['--force']).ended

  expect(code).toBe(1)
  expect(told).toContain('principals_few_fkey')
  expect(await fingerprint(target.pool)).toEqual(before)
  await expect(target.pool.query('delete from audit_entries')).rejects.toThrow('append-only')
})

test('a backup whose connection is lost fails and leaves nothing', async () => {
  const file = await newFile()
  const backup = startBackup(file, onDatabaseOf(large))
  await until(async () => ((await stat(`${file}.part`).catch(() => undefined))?.size ? true : undefined))

  await large.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'copy %' and pid <> pg_backend_pid()`)
  const { code } = await backup.ended

  expect(code).toBe(1)
  expect(await readdir(dirname(file))).toEqual([])
})

test('a restore waits for a request under way and is not the end of it', async () => {
  const source = await migratedDatabase()
  const file = await newFile()
  await succeeded(startBackup(file, onDatabaseOf(source)))
  const target = await migratedDatabase()
  const request = await target.pool.connect()
  await request.query('begin')
  await request.query(`insert into signing_keys (private_key) values ('{}')`)

  const restore = startRestore(file, onDatabaseOf(target))
  await until(async () => {
    const { rows } = await target.pool.query(`select from pg_stat_activity where query like 'lock table%'
      and datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length > 0 ? true : undefined
  })
  await sleep(500)
  await request.query(`insert into audit_chains (chain) values (99)`)
  await request.query('commit')
  await succeeded(restore)

  expect(await fingerprint(target.pool)).toEqual(await fingerprint(source.pool))
  request.release()
})
