import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../../src/database/connect.ts'
import { clockCheck } from '../../../src/platform/health/clock-check.ts'
import { openContactFlow } from '../../../src/platform/health/contact-flow.ts'
import { diskCheck } from '../../../src/platform/health/disk-check.ts'
import { laneChecks } from '../../../src/platform/health/lane-checks.ts'
import { openHealthWorld } from './health-world.ts'

vi.setConfig({ testTimeout: 30_000 })

const { database, given, readiness, startChecks } = await openHealthWorld()
const { lanes } = database

const withinTenSeconds = { timeout: 10_000, interval: 100 }
const withinFiveSeconds = { timeout: 5_000, interval: 100 }

const untilReadiness = (expected: object, limit = withinTenSeconds) =>
  vi.waitFor(async () => expect(await readiness()).toMatchObject(expected), limit)

const ready = { httpStatus: 200, status: 'ready' }
const minute = 60_000
const megabyte = 1_048_576

test('a clock that differs from that of the database by hours makes a node unavailable, until it is right again', async () => {
  let offset = 0
  startChecks(clockCheck({ reads: lanes.reads, now: () => Date.now() + offset }))
  await untilReadiness(ready)

  offset = -120 * minute
  await untilReadiness({ httpStatus: 503, checks: [{ name: 'clock', status: 'failed' }] })
  offset = 0

  await untilReadiness(ready, withinFiveSeconds)
})

test('a clock that differs by some seconds is a warning', async () => {
  startChecks(clockCheck({ reads: lanes.reads, now: () => Date.now() + 10_000 }))

  await untilReadiness({ httpStatus: 200, status: 'degraded', checks: [{ name: 'clock', status: 'warning' }] })
})

test('a jump of the clock is noticed even if the clock of the database jumps with it', async () => {
  let offset = 0
  const now = () => Date.now() + offset
  const reads = { ...lanes.reads, query: async () => ({ rows: [{ now: now() }] }) as never }
  startChecks(clockCheck({ reads, now }))
  await untilReadiness(ready)

  offset = 30 * minute
  await untilReadiness({ status: 'degraded', checks: [{ detail: expect.stringContaining('jumped') }] })
  offset = 0

  await untilReadiness(ready, withinFiveSeconds)
})

const embedded = {
  databaseUrl: undefined,
  dataDirectory: '/data',
  packageStore: '/packages',
  minFreeDiskMegabytes: 500,
}

test('a disk that fills up is a warning first, and makes a node unavailable when the embedded database has no room', async () => {
  let free = 10_000 * megabyte
  startChecks(diskCheck(embedded, async () => free))
  await untilReadiness(ready)

  free = 499 * megabyte
  await untilReadiness({ httpStatus: 200, status: 'degraded', checks: [{ name: 'disk', status: 'warning' }] })
  free = 10 * megabyte
  await untilReadiness({ httpStatus: 503, checks: [{ name: 'disk', status: 'failed' }] })
  free = 10_000 * megabyte

  await untilReadiness(ready, withinFiveSeconds)
})

test('a package store without room is a warning, because agents are answered without it', async () => {
  startChecks(diskCheck(embedded, async (folder) => (folder === '/packages' ? 0 : 10_000 * megabyte)))

  await untilReadiness({ httpStatus: 200, status: 'degraded' })
})

test('a package store that cannot be read is a warning', async () => {
  startChecks(diskCheck({ ...embedded, databaseUrl: 'postgres://elsewhere', packageStore: '/nowhere/at/all' }))

  await untilReadiness({ httpStatus: 200, checks: [{ detail: 'The package store cannot be read.' }] })
})

test('a database that only reads makes a node unavailable, and only the check of writes fails', async () => {
  const client = await database.pool.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const setReadOnly = (value: string) =>
    client.query(`alter database ${rows[0]?.name} set default_transaction_read_only = ${value}`)
  await setReadOnly('on')
  const readOnly = connect(database.connection)
  onTestFinished(async () => {
    await setReadOnly('off')
    client.release()
    await readOnly.close()
  })
  startChecks(...laneChecks(readOnly.lanes, openContactFlow()))

  await untilReadiness({
    httpStatus: 503,
    checks: [
      { name: 'reads', status: 'passed' },
      { name: 'sign-in', status: 'passed' },
      { name: 'contacts', status: 'passed' },
      { name: 'writes', status: 'failed', detail: 'The database does not accept changes, or not in time.' },
    ],
  })
})

test('a node stays ready while the row of a computer is locked, because that concerns this computer alone', async () => {
  const { id } = await given.computer()
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`select from computers where id = ${id} for update`)
  startChecks(...laneChecks(lanes, openContactFlow()))

  await untilReadiness(ready)

  await client.query('rollback')
  client.release()
})

test('the check of writes needs room on the disk of the database: it writes a temporary file', async () => {
  const countTemporaryFiles = async () => {
    const { rows } = await database.pool.query<{ temp_files: number }>(
      'select temp_files from pg_stat_database where datname = current_database()',
    )
    return rows[0]?.temp_files ?? 0
  }
  const before = await countTemporaryFiles()
  startChecks(...laneChecks(lanes, openContactFlow()))

  await vi.waitFor(async () => expect(await countTemporaryFiles()).toBeGreaterThan(before), withinTenSeconds)
})

test('a table that nobody can read makes a node unavailable, until it can be read again', async () => {
  const client = await database.pool.connect()
  startChecks(...laneChecks(lanes, openContactFlow()))
  await untilReadiness(ready)

  await client.query('begin')
  await client.query('lock table computers')
  await untilReadiness({ httpStatus: 503 })
  await client.query('rollback')

  await untilReadiness(ready, withinFiveSeconds)
  client.release()
})
