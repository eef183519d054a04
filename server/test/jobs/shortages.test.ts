import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { startJobRunner } from '../../src/jobs/job-runner.ts'
import { JobFailure, type JobHandler, runAttempt } from '../../src/jobs/run-attempt.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { openWorld } from '../world/open-world.ts'

const { app, db, database } = await openWorld({ operations: [] })
const context = { db, configuration: app.services.configuration, logger: pino({ level: 'silent' }) }
const neverAborted = new AbortController().signal

const givenJob = () => enqueue(db, { queue: 'patch-download', subject: 'a test', input: {} })

const findJob = (id: string) =>
  db
    .selectFrom('background_jobs')
    .select(['status', 'message', 'attempts', 'progress'])
    .where('id', '=', id)
    .executeTakeFirst()

const succeed: JobHandler = ({ finish }) => finish(async () => ({ status: 'Success', message: 'done' }))
const waitForever: JobHandler = () => new Promise(() => {})

function errorWith(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** A database handle whose statements fail for lack of file descriptors while the shortage is on. */
function openShortage() {
  const shortage = { isOn: false, refused: 0, db }
  shortage.db = db.withPlugin({
    transformQuery({ node }) {
      if (!shortage.isOn) return node
      shortage.refused++
      throw errorWith('EMFILE')
    },
    transformResult: async ({ result }) => result,
  })
  return shortage
}

const shortages: [string, Error, string][] = [
  ['file descriptors', errorWith('EMFILE'), 'The service ran out of file descriptors.'],
  ['disk space', errorWith('ENOSPC'), 'The service ran out of disk space.'],
  [
    'memory',
    new JobFailure('The folder cannot be read.', { cause: errorWith('ENOMEM') }),
    'The service ran out of memory.',
  ],
  ['disk space of the database', errorWith('53100'), 'The service ran out of disk space of the database.'],
  ['database', errorWith('ECONNREFUSED'), 'The database was unavailable.'],
  ['lock', errorWith('55P03'), 'The database was busy.'],
]

test.each(shortages)('a job never fails for lack of: %s', async (_what, error, reason) => {
  const id = await givenJob()
  const failForNow: JobHandler = async () => {
    throw error
  }

  for (let attempt = 1; attempt <= 5; attempt++)
    await expect(runAttempt(context, failForNow, id, neverAborted)).rejects.toBe(error)

  expect(await findJob(id)).toEqual({
    status: 'Pending',
    attempts: 0,
    progress: 0,
    message: `${reason} The job is attempted again automatically.`,
  })
  await runAttempt(context, succeed, id, neverAborted)
  expect(await findJob(id)).toMatchObject({ status: 'Success', message: 'done' })
})

test('an interrupted attempt that cannot be recorded is recorded as soon as the shortage is over', async () => {
  const id = await givenJob()
  const shortage = openShortage()
  const failForNow: JobHandler = async () => {
    shortage.isOn = true
    setTimeout(() => {
      shortage.isOn = false
    }, 300)
    throw errorWith('EMFILE')
  }

  await expect(runAttempt({ ...context, db: shortage.db }, failForNow, id, neverAborted)).rejects.toThrow('EMFILE')

  expect(shortage.refused).toBeGreaterThan(0)
  expect(await findJob(id)).toMatchObject({ status: 'Pending', attempts: 0 })
})

test('a result that cannot be recorded is recorded as soon as the shortage is over', async () => {
  const id = await givenJob()
  const shortage = openShortage()
  const failForGood: JobHandler = async () => {
    shortage.isOn = true
    setTimeout(() => {
      shortage.isOn = false
    }, 300)
    throw new JobFailure('The folder does not exist.')
  }

  await runAttempt({ ...context, db: shortage.db }, failForGood, id, neverAborted)

  expect(await findJob(id)).toMatchObject({ status: 'Failed', message: 'The folder does not exist.' })
})

test('an interrupted attempt does not count, even if it is recorded after the next one has started', async () => {
  const id = await givenJob()
  const shortage = openShortage()
  const overtaken: JobHandler = async () => {
    shortage.isOn = true
    void runAttempt(context, waitForever, id, neverAborted).catch(() => undefined)
    await until(async () => ((await findJob(id))?.attempts === 2 ? true : undefined))
    shortage.isOn = false
    throw errorWith('EMFILE')
  }

  await expect(runAttempt({ ...context, db: shortage.db }, overtaken, id, neverAborted)).rejects.toThrow('EMFILE')

  expect(await findJob(id)).toMatchObject({ status: 'Running', attempts: 1, message: null })
})

test('a job whose interruption was never recorded is found by its missing heartbeat, and runs again', async () => {
  const id = await givenJob()
  const stopping = new AbortController()
  const shortage = openShortage()
  const loseDatabase: JobHandler = async (attempt) => {
    if (shortage.refused > 0) return succeed(attempt)
    shortage.isOn = true
    setTimeout(() => stopping.abort(), 200)
    throw errorWith('EMFILE')
  }
  await expect(runAttempt({ ...context, db: shortage.db }, loseDatabase, id, stopping.signal)).rejects.toThrow('EMFILE')
  expect(await findJob(id)).toMatchObject({ status: 'Running' })
  // As pg-boss leaves a job whose worker could not report anything.
  await database.pool.query(
    `update pgboss.job set state = 'active', started_on = now(), retry_count = 5000, retry_delay_max = 1,
       heartbeat_on = now() - interval '1 minute' where id = $1`,
    [id],
  )

  const runner = await startJobRunner({ ...context, database, handlers: { 'patch-download': loseDatabase } })
  onTestFinished(() => runner.stop())

  await until(async () => ((await findJob(id))?.status === 'Success' ? true : undefined), 30_000)
}, 60_000)
