import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type JobHandler, runAttempt } from '../../src/jobs/run-attempt.ts'
import { openWorld } from '../world/open-world.ts'

const { app, db, database } = await openWorld({ operations: [] })
const context = { db, configuration: app.services.configuration, logger: pino({ level: 'silent' }) }
const noStop = new AbortController().signal

const givenJob = () => enqueue(db, { queue: 'patch-download', subject: 'a test', input: { number: 17 } })

const rowOf = (id: string) =>
  db
    .selectFrom('background_jobs')
    .select(['status', 'message', 'attempts', 'progress'])
    .where('id', '=', id)
    .executeTakeFirst()

const succeed: JobHandler = ({ finish }) => finish(async () => ({ status: 'Success', message: 'done' }))
const fail: JobHandler = async () => {
  throw new Error('an accident')
}

test('the tables of pg-boss are those that its version wants', async () => {
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

test('without the commit of its transaction there is no job', async () => {
  const rollback = new Error('rolled back')
  let id = ''

  await db
    .transaction()
    .execute(async (transaction) => {
      id = await enqueue(transaction, { queue: 'patch-download', subject: 'never', input: {} })
      throw rollback
    })
    .catch((error: unknown) => expect(error).toBe(rollback))

  expect(await rowOf(id)).toBeUndefined()
  const { rows } = await database.pool.query('select from pgboss.job where id = $1', [id])
  expect(rows).toEqual([])
})

test('a job gets its input and leaves its result', async () => {
  const id = await givenJob()
  let input: unknown

  await runAttempt(
    context,
    (attempt) => {
      input = attempt.input
      return succeed(attempt)
    },
    id,
    noStop,
  )

  expect(input).toEqual({ number: 17 })
  expect(await rowOf(id)).toMatchObject({ status: 'Success', message: 'done', progress: 100 })
})

test('a job that is over is not done again', async () => {
  const id = await givenJob()
  await runAttempt(context, succeed, id, noStop)

  await runAttempt(context, fail, id, noStop)

  expect(await rowOf(id)).toMatchObject({ status: 'Success', attempts: 1 })
})

test('an accident is tried again, three times in all', async () => {
  const id = await givenJob()

  await expect(runAttempt(context, fail, id, noStop)).rejects.toThrow('an accident')
  expect(await rowOf(id)).toMatchObject({ status: 'Pending', attempts: 1 })
  await expect(runAttempt(context, fail, id, noStop)).rejects.toThrow('an accident')
  await runAttempt(context, fail, id, noStop)

  expect(await rowOf(id)).toMatchObject({ status: 'Failed', message: 'The service failed. Its log has the cause.' })
})

test('a job that ended the service three times is not begun a fourth time', async () => {
  const id = await givenJob()
  await db.updateTable('background_jobs').set({ status: 'Running', attempts: 3 }).where('id', '=', id).execute()

  await runAttempt(context, succeed, id, noStop)

  expect(await rowOf(id)).toMatchObject({
    status: 'Failed',
    message: 'It was tried 3 times, and interrupted each time.',
  })
})

test('a stop of the service gives the job back, and does not count', async () => {
  const id = await givenJob()
  const stopping = new AbortController()
  const untilStop: JobHandler = async ({ signal }) => {
    stopping.abort(new Error('stop'))
    signal.throwIfAborted()
  }

  await expect(runAttempt(context, untilStop, id, stopping.signal)).rejects.toThrow('stop')

  expect(await rowOf(id)).toMatchObject({ status: 'Pending', attempts: 0 })
})

test('an attempt that another one has replaced leaves nothing', async () => {
  const id = await givenJob()
  const overtaken: JobHandler = async ({ finish }) => {
    await runAttempt(context, succeed, id, noStop)
    await finish(async (transaction) => {
      await transaction.updateTable('tags').set({ description: 'overtaken' }).execute()
      return { status: 'Failed', message: 'too late' }
    })
  }

  await runAttempt(context, overtaken, id, noStop)

  expect(await rowOf(id)).toMatchObject({ status: 'Success', message: 'done' })
  expect(await db.selectFrom('tags').select('id').where('description', '=', 'overtaken').execute()).toEqual([])
})

test('progress is written about once a second, and never after the end', async () => {
  const id = await givenJob()
  const seen: (number | null | undefined)[] = []
  const slow: JobHandler = async (attempt) => {
    for (let step = 1; step <= 12; step++) {
      await sleep(100)
      attempt.progress(step / 24)
      seen.push((await rowOf(id))?.progress)
    }
    await succeed(attempt)
    attempt.progress(0.9)
  }

  await runAttempt(context, slow, id, noStop)

  expect(new Set(seen).size).toBeLessThanOrEqual(2)
  expect(Math.max(...seen.map(Number))).toBeGreaterThan(0)
  expect(await rowOf(id)).toMatchObject({ status: 'Success', progress: 100 })
})

test('what is over for more than 30 days is forgotten', async () => {
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

  await runAttempt(context, succeed, await givenJob(), noStop)

  expect(await rowOf(old)).toBeUndefined()
  expect(await rowOf(recent)).toBeDefined()
})
