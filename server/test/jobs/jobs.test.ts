import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type JobHandler, runAttempt } from '../../src/jobs/run-attempt.ts'
import { openWorld } from '../world/open-world.ts'

const { app, db, database, given } = await openWorld({ operations: [] })
const context = { db, configuration: app.services.configuration, logger: pino({ level: 'silent' }) }
const neverAborted = new AbortController().signal

const givenJob = () => enqueue(db, { queue: 'patch-download', subject: 'a test', input: { number: 17 } })

const findJob = (id: string) =>
  db
    .selectFrom('background_jobs')
    .select(['status', 'message', 'attempts', 'progress'])
    .where('id', '=', id)
    .executeTakeFirst()

const succeed: JobHandler = ({ finish }) => finish(async () => ({ status: 'Success', message: 'done' }))
const fail: JobHandler = async () => {
  throw new Error('an unexpected error')
}

test('the tables of pg-boss match its version', async () => {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    migrate: false,
    schedule: false,
  })
  await boss.start()
  onTestFinished(() => boss.stop({ close: false }))

  const drift = await boss.detectSchemaDrift()

  expect(drift).toMatchObject({ ok: true })
})

test('a job does not exist if its transaction is rolled back', async () => {
  const rollback = new Error('rolled back')
  let id = ''

  await db
    .transaction()
    .execute(async (transaction) => {
      id = await enqueue(transaction, { queue: 'patch-download', subject: 'never', input: {} })
      throw rollback
    })
    .catch((error: unknown) => expect(error).toBe(rollback))

  expect(await findJob(id)).toBeUndefined()
  const { rows } = await database.pool.query('select from pgboss.job where id = $1', [id])
  expect(rows).toEqual([])
})

test('a job receives its input and records its result', async () => {
  const id = await givenJob()
  let input: unknown

  await runAttempt(
    context,
    (attempt) => {
      input = attempt.input
      return succeed(attempt)
    },
    id,
    neverAborted,
  )

  expect(input).toEqual({ number: 17 })
  expect(await findJob(id)).toMatchObject({ status: 'Success', message: 'done', progress: 100 })
})

test('a job that has ended does not run again', async () => {
  const id = await givenJob()
  await runAttempt(context, succeed, id, neverAborted)

  await runAttempt(context, fail, id, neverAborted)

  expect(await findJob(id)).toMatchObject({ status: 'Success', attempts: 1 })
})

test('a job with an unexpected error is attempted three times in total', async () => {
  const id = await givenJob()

  await expect(runAttempt(context, fail, id, neverAborted)).rejects.toThrow('an unexpected error')
  expect(await findJob(id)).toMatchObject({ status: 'Pending', attempts: 1 })
  await expect(runAttempt(context, fail, id, neverAborted)).rejects.toThrow('an unexpected error')
  await runAttempt(context, fail, id, neverAborted)

  expect(await findJob(id)).toMatchObject({
    status: 'Failed',
    message: 'The job failed because of an error in the service. See the log of the service.',
  })
})

test('a job that was interrupted in three attempts is not attempted again', async () => {
  const id = await givenJob()
  await db.updateTable('background_jobs').set({ status: 'Running', attempts: 3 }).where('id', '=', id).execute()

  await runAttempt(context, succeed, id, neverAborted)

  expect(await findJob(id)).toMatchObject({
    status: 'Failed',
    message: 'The job was interrupted in each of 3 attempts.',
  })
})

test('an attempt that is interrupted by a stop of the service does not count', async () => {
  const id = await givenJob()
  const stopping = new AbortController()
  const stopService: JobHandler = async ({ signal }) => {
    stopping.abort(new Error('stop'))
    signal.throwIfAborted()
  }

  await expect(runAttempt(context, stopService, id, stopping.signal)).rejects.toThrow('stop')

  expect(await findJob(id)).toMatchObject({ status: 'Pending', attempts: 0 })
})

test('an attempt that another one has replaced writes nothing', async () => {
  const id = await givenJob()
  const overtaken: JobHandler = async ({ finish }) => {
    await runAttempt(context, succeed, id, neverAborted)
    await finish(async (transaction) => {
      await transaction.updateTable('tags').set({ description: 'overtaken' }).execute()
      return { status: 'Failed', message: 'too late' }
    })
  }

  await runAttempt(context, overtaken, id, neverAborted)

  expect(await findJob(id)).toMatchObject({ status: 'Success', message: 'done' })
  expect(await db.selectFrom('tags').select('id').where('description', '=', 'overtaken').execute()).toEqual([])
})

const revoke = (id: number) =>
  db.updateTable('local_principals').set({ is_revoked: true }).where('principal_id', '=', id).execute()

test.each<[string, (id: number) => Promise<unknown>]>([
  ['is revoked', revoke],
  ['is deleted', (id) => db.deleteFrom('principals').where('id', '=', id).execute()],
  ['loses the role', (id) => db.deleteFrom('principal_roles').where('principal_id', '=', id).execute()],
])('a job whose principal %s while it runs writes nothing and fails', async (_, change) => {
  const { id: principalId } = await given.localPrincipal({ roles: ['package.write'] })
  const startedBy = { principalId, role: 'package.write' } as const
  const id = await enqueue(db, { queue: 'package-import', subject: 'a folder', input: {}, startedBy })
  const designation = `written by job ${id}`

  await runAttempt(
    context,
    async ({ finish }) => {
      await change(principalId)
      await finish(async (transaction) => {
        await transaction.insertInto('tags').values({ designation }).execute()
        return { status: 'Success', message: 'done' }
      })
    },
    id,
    neverAborted,
  )

  expect(await findJob(id)).toMatchObject({ status: 'Failed', message: expect.stringContaining('package.write') })
  expect(await db.selectFrom('tags').select('id').where('designation', '=', designation).execute()).toEqual([])
})

test('a job whose principal was revoked before does not begin', async () => {
  const { id: principalId } = await given.localPrincipal({ roles: ['package.write'] })
  const startedBy = { principalId, role: 'package.write' } as const
  const id = await enqueue(db, { queue: 'package-import', subject: 'a folder', input: {}, startedBy })
  await revoke(principalId)
  let hasBegun = false

  await runAttempt(
    context,
    async () => {
      hasBegun = true
    },
    id,
    neverAborted,
  )

  expect(hasBegun).toBe(false)
  expect(await findJob(id)).toMatchObject({ status: 'Failed', attempts: 1 })
})

test('progress is written about once a second, and never after the end of the job', async () => {
  const id = await givenJob()
  const seen: (number | null | undefined)[] = []
  const slow: JobHandler = async (attempt) => {
    for (let step = 1; step <= 12; step++) {
      await sleep(100)
      attempt.progress(step / 24)
      seen.push((await findJob(id))?.progress)
    }
    await succeed(attempt)
    attempt.progress(0.9)
  }

  await runAttempt(context, slow, id, neverAborted)

  expect(new Set(seen).size).toBeLessThanOrEqual(2)
  expect(Math.max(...seen.map(Number))).toBeGreaterThan(0)
  expect(await findJob(id)).toMatchObject({ status: 'Success', progress: 100 })
})

test('jobs that ended more than 30 days ago are deleted', async () => {
  const [old, recent] = [await givenJob(), await givenJob()]
  for (const [id, days] of [
    [old, 31],
    [recent, 29],
  ] as const)
    await db
      .updateTable('background_jobs')
      .set({ status: 'Success', finished_at: new Date(Date.now() - days * 86_400_000) })
      .where('id', '=', id)
      .execute()

  await runAttempt(context, succeed, await givenJob(), neverAborted)

  expect(await findJob(old)).toBeUndefined()
  expect(await findJob(recent)).toBeDefined()
})
