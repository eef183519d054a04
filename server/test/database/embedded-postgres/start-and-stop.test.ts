import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { watchProcessorWaits } from '../../faults/matrix/processor-waits.ts'
import { withDescendants } from '../../faults/matrix/workers.ts'
import {
  copyInitialised,
  killServer,
  mustCopyBinaries,
  packageName,
  query,
  serverProcesses,
  sharedFolder,
  startMuster,
  temporaryFolder,
  until,
  untilNoServer,
} from './muster.ts'

const shared = sharedFolder()

beforeAll(() => copyInitialised(shared.path))

test('the first start creates a UTF-8 database with checksums, on a socket that only its owner can reach', async () => {
  const dataDirectory = await temporaryFolder()

  const muster = startMuster({ dataDirectory })
  const { connection } = await muster.ready()
  const [settings] = await query(
    connection,
    `select current_database() as database, current_user as user, getdatabaseencoding() as encoding,
      datlocprovider as provider, datlocale as locale, current_setting('data_checksums') as checksums,
      current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses
      from pg_database where datname = current_database()`,
  )

  expect(muster.phases()).toEqual([
    ...(mustCopyBinaries ? ['copied the binaries'] : []),
    'ran initdb',
    'created the database',
  ])
  expect(settings).toEqual({
    database: 'muster',
    user: 'muster',
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    checksums: 'on',
    fsync: 'on',
    addresses: '',
  })
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
})

test('a later start keeps the data and takes less than a second', async () => {
  const dataDirectory = shared.path
  const first = await startEmbeddedPostgres({ dataDirectory })
  await query(first.connection, 'create table kept as select 7 as seven').finally(() => first.stop())

  const began = performance.now()
  const later = startMuster({ dataDirectory })
  const waits = watchProcessorWaits(() => [withDescendants(later.pid)])
  onTestFinished(waits.stop)
  const { connection, milliseconds } = await later.ready()

  // Not counting the time for which other programs used the processors.
  expect(milliseconds - waits.between(began, performance.now())).toBeLessThan(1000)
  expect(await query(connection, 'select seven from kept')).toEqual([{ seven: 7 }])
  expect(later.phases()).toEqual([])
  await later.end('SIGTERM')
})

test('stopping ends every process, removes the socket, releases the lock and may be done twice', async () => {
  const dataDirectory = shared.path
  const postgres = await startEmbeddedPostgres({ dataDirectory })

  await Promise.all([postgres.stop(), postgres.stop()])
  await postgres.stop()

  expect(await serverProcesses(dataDirectory)).toEqual([])
  const files = await readdir(join(dataDirectory, 'postgres'))
  expect(files.filter((file) => !file.startsWith('binaries-')).sort()).toEqual([
    'cluster',
    'lock',
    'pg_hba.conf',
    'pg_ident.conf',
    'postgres.log',
  ])
  expect(await readdir(join(dataDirectory, 'postgres/cluster'))).not.toContain('postmaster.pid')
  const again = await startEmbeddedPostgres({ dataDirectory })
  await again.stop()
})

test('a checkpoint before the stop writes what only the log has', async () => {
  const postgres = await startEmbeddedPostgres({ dataDirectory: shared.path })
  const lastCheckpoint = async () => {
    const [row] = await query(postgres.connection, 'select redo_lsn::text as lsn from pg_control_checkpoint()')
    return row?.lsn
  }
  await query(postgres.connection, 'create table written (id int)')
  const before = await lastCheckpoint()

  await postgres.checkpoint()

  expect(await lastCheckpoint()).not.toBe(before)
  await query(postgres.connection, 'drop table written')
  await postgres.stop()
  await expect(postgres.checkpoint()).rejects.toThrow()
})

test('a setting of the caller replaces a default, but cannot open a port', async () => {
  const dataDirectory = shared.path

  const settings = { max_connections: '17', listen_addresses: '*' }
  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory, settings })
  const rows = await query(
    connection,
    `select current_setting('max_connections') as connections, current_setting('shared_buffers') as buffers,
      current_setting('listen_addresses') as addresses`,
  ).finally(() => stop())

  expect(rows).toEqual([{ connections: '17', buffers: '256MB', addresses: '' }])
})

test('a failed start reports what PostgreSQL wrote to its log and leaves nothing running', async () => {
  const dataDirectory = shared.path

  const starting = startEmbeddedPostgres({ dataDirectory, settings: { work_mem: 'plenty' } })

  await expect(starting).rejects.toMatchObject({
    code: 'start-failed',
    message: expect.stringContaining('invalid value for parameter "work_mem": "plenty"'),
  })
  expect(await serverProcesses(dataDirectory)).toEqual([])
})

test('a data directory with a long path gets its socket in a short folder, which is removed at the stop', async () => {
  const dataDirectory = await copyInitialised(join(shared.path, 'long'.repeat(30)))

  const muster = startMuster({ dataDirectory })
  const { connection } = await muster.ready()
  const rows = await query(connection, 'select 1 as one')
  const { mode } = await stat(connection.host)
  await muster.end('SIGTERM')

  expect(rows).toEqual([{ one: 1 }])
  expect(mode & 0o777).toBe(0o700)
  await expect(stat(connection.host)).rejects.toThrow('ENOENT')
})

test('the short socket folder of a killed Muster is removed at the next start', async () => {
  const dataDirectory = join(shared.path, 'long'.repeat(30))
  const killed = startMuster({ dataDirectory })
  const { connection } = await killed.ready()
  await killed.end('SIGKILL')

  await startMuster({ dataDirectory }).ready()

  await expect(stat(connection.host)).rejects.toThrow('ENOENT')
})

test('a start without binaries fails with a message that names the package and MUSTER_DATABASE_URL', async () => {
  const dataDirectory = shared.path

  const { code, message } = await startMuster({ dataDirectory, arch: 'loong64' }).refused()

  expect(code).toBe('binaries-unusable')
  expect(message).toContain(packageName.replace(process.arch, 'loong64'))
  expect(message).toContain('MUSTER_DATABASE_URL')
})

test('a database of another major version is refused with instructions to migrate it', async () => {
  const dataDirectory = join(shared.path, 'older')
  await mkdir(join(dataDirectory, 'postgres/cluster'), { recursive: true })
  await writeFile(join(dataDirectory, 'postgres/cluster/PG_VERSION'), '17\n')

  const starting = startEmbeddedPostgres({ dataDirectory })

  await expect(starting).rejects.toMatchObject({
    code: 'other-major-version',
    message: expect.stringMatching(/PostgreSQL 17.*npm run backup -- FILE/s),
  })
})

// The scripts of PostgreSQL do not quote the path of their own binaries, which would be copied to this folder.
test.skipIf(mustCopyBinaries)('the path of a data directory may contain characters that need quoting', async () => {
  const dataDirectory = join(shared.path, `it's "a, b" \\ ü$x`)

  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory })

  expect(await query(connection, 'select 1 as one').finally(() => stop())).toEqual([{ one: 1 }])
})

test('an initdb that was killed together with Muster needs no repair', async () => {
  const dataDirectory = await temporaryFolder()
  const home = join(dataDirectory, 'postgres')
  const killed = startMuster({ dataDirectory })
  const unfinished = await until(async () =>
    (await readdir(home).catch(() => [])).find((entry) => entry.startsWith('initdb-')),
  )
  await until(async () => ((await readdir(join(home, unfinished))).includes('base') ? true : undefined))
  await killed.end('SIGKILL')

  const muster = startMuster({ dataDirectory })
  const { connection } = await muster.ready()

  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(muster.phases()).toContain('ran initdb')
  expect((await readdir(home)).filter((entry) => entry.startsWith('initdb-'))).toEqual([])
})

test('a large log is rotated at the start', async () => {
  const dataDirectory = shared.path
  const log = join(dataDirectory, 'postgres/postgres.log')
  await writeFile(log, 'x'.repeat(11 * 1024 * 1024))

  const { stop } = await startEmbeddedPostgres({ dataDirectory })
  await stop()

  expect((await stat(log)).size).toBeLessThan(100_000)
  expect((await readFile(`${log}.1`)).length).toBeGreaterThan(10_000_000)
})

test('stopping while the server is being restarted leaves no server behind', async () => {
  const dataDirectory = shared.path
  const postgres = await startEmbeddedPostgres({ dataDirectory })
  await killServer(dataDirectory)
  await sleep(120)

  await postgres.stop()

  await untilNoServer(dataDirectory)
})
