import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getMetrics } from '../../../src/features/service/api/get-metrics.ts'
import { getLiveness } from '../../../src/features/service/api/health/get-liveness.ts'
import { type HealthCheck, type HealthFinding, openHealth } from '../../../src/platform/health/health.ts'
import { openJobBeat } from '../../../src/platform/health/job-beat.ts'
import { openHealthWorld } from './health-world.ts'

vi.setConfig({ testTimeout: 30_000 })

const { as, database, readiness, startChecks, withToken } = await openHealthWorld()

const failure: HealthFinding = {
  code: 'LampOut',
  status: 'failed',
  detail: 'The lamp is out.',
  cause: new Error('at /secret/path'),
}
const warning: HealthFinding = { code: 'LampFlickers', status: 'warning', detail: 'The lamp flickers.' }

/** A check that finds what the test says. */
function lamp(finding?: HealthFinding) {
  const found = { finding }
  const check: HealthCheck = { name: 'lamp', intervalMs: 100, run: async () => found.finding }
  return { found, check }
}

const statusIs = (status: string) => vi.waitFor(async () => expect((await readiness()).status).toBe(status), 10_000)

test('a node is ready when all checks pass, and not before each of them has run', async () => {
  const { check } = lamp()
  startChecks(check, { ...check, name: 'second lamp' })

  const first = await readiness()
  await statusIs('ready')

  expect(first).toMatchObject({ httpStatus: 503, status: 'unavailable' })
  expect(await readiness()).toMatchObject({
    httpStatus: 200,
    checks: [
      { name: 'lamp', status: 'passed', detail: null },
      { name: 'second lamp', status: 'passed' },
    ],
  })
})

test('a failed check makes a node unavailable, says why without the cause, and is noticed when it passes again', async () => {
  const { found, check } = lamp()
  startChecks(check)
  await statusIs('ready')

  found.finding = failure
  await statusIs('unavailable')
  const answer = await readiness()
  found.finding = undefined
  await statusIs('ready')

  expect(answer).toMatchObject({ httpStatus: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } })
  expect(answer.checks).toEqual([
    { name: 'lamp', status: 'failed', code: 'LampOut', detail: 'The lamp is out.', sinceUtc: expect.any(String) },
  ])
})

test('a warning makes a node degraded, and it stays in service', async () => {
  const { check } = lamp(warning)
  startChecks(check)

  await statusIs('degraded')

  expect(await readiness()).toMatchObject({ httpStatus: 200, checks: [{ status: 'warning' }] })
})

test('checks rest while nobody uses a node, and run again at the next request', async () => {
  let runs = 0
  const count = async () => {
    runs++
    return undefined
  }
  const health = openHealth([{ name: 'lamp', intervalMs: 10, run: count }], { afterMs: 100, forMs: 600_000 })
  health.start(pino({ level: 'silent' }))
  onTestFinished(() => health.stop())

  await vi.waitFor(async () => {
    const runsBefore = runs
    await sleep(200)
    expect(runs).toBe(runsBefore)
  }, 10_000)
  const runsAtRest = runs
  health.noteRequest()
  // On a busy machine, a check may have time for one run only before it rests again.
  await vi.waitFor(() => expect(runs).toBeGreaterThan(runsAtRest))

  expect(runsAtRest).toBeGreaterThan(0)
})

test('a check that throws counts as failed', async () => {
  const { check } = lamp()
  startChecks({
    ...check,
    run: async () => {
      throw new Error('no lamp')
    },
  })

  await vi.waitFor(async () =>
    expect((await readiness()).checks).toMatchObject([{ detail: 'This could not be checked because of an error.' }]),
  )
})

test('a check that hangs counts as failed within ten seconds', async () => {
  const { check } = lamp()
  let runs = 0
  startChecks({ ...check, run: () => (runs++ === 0 ? Promise.resolve(undefined) : new Promise(() => {})) })
  await statusIs('ready')

  await vi.waitFor(async () => expect((await readiness()).httpStatus).toBe(503), 10_000)

  expect((await readiness()).checks).toMatchObject([{ detail: 'This could not be checked for several seconds.' }])
})

test('the log says once when a check fails and once when it passes again', async () => {
  const { found, check } = lamp()
  const { lines } = startChecks(check)
  await statusIs('ready')

  found.finding = failure
  await statusIs('unavailable')
  await sleep(1_500)
  found.finding = undefined
  await statusIs('ready')

  expect(lines).toMatchObject([
    { level: 50, check: 'lamp', msg: 'The lamp is out.' },
    { level: 30, check: 'lamp', msg: 'A health check passes again.' },
  ])
})

test('a node that is stopping is not ready any more', async () => {
  const { check } = lamp()
  const { health } = startChecks(check)
  await statusIs('ready')

  health.stop()

  expect(await readiness()).toMatchObject({ httpStatus: 503, checks: [{ detail: 'The service is stopping.' }] })
})

test('questions about health cost no statement, however many there are', async () => {
  const { check } = lamp()
  startChecks(check)
  const before = database.statementCount()

  await Promise.all(Array.from({ length: 200 }, readiness))
  await withToken(undefined).call(getLiveness)

  expect(database.statementCount()).toBe(before)
})

test('a process is alive even if it is not ready', async () => {
  const { check } = lamp(failure)
  startChecks(check)

  expect(await withToken(undefined).call(getLiveness)).toMatchObject({ status: 200, body: { status: 'alive' } })
})

test('jobs count as running only as long as their process gives a sign', async () => {
  const beat = openJobBeat()
  startChecks(beat.check)
  await vi.waitFor(async () =>
    expect((await readiness()).checks).toMatchObject([{ detail: 'Background jobs do not run.' }]),
  )

  beat.record()
  await vi.waitFor(async () => expect((await readiness()).httpStatus).toBe(200), 5_000)
  await vi.waitFor(async () => expect((await readiness()).httpStatus).toBe(503), 10_000)
})

test('the metrics show the database as silent for zero seconds while it answers', async () => {
  const { body } = await as('admin.manage').call(getMetrics)

  expect(body).toMatch(/^muster_database_silence_seconds 0(\.\d+)?$/m)
})
