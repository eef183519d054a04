import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { accessToken, type ServiceOptions, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'
import { startDatabaseProxy } from './matrix/database-proxy.ts'

vi.setConfig({ testTimeout: 120_000 })

type Readiness = { status: string; checks: { name: string; status: string }[] }

const statusOf = async ({ address }: ServiceProcess, path: string) => (await fetch(address + path)).status

// All questions come on one connection, and so from one worker.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function readiness({ address }: ServiceProcess) {
  const request = get(`${address}/health/ready`, { agent, signal: AbortSignal.timeout(1_000) })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { status, checks } = (await json(response)) as Readiness
  return { httpStatus: response.statusCode, status, failed: checks.filter((check) => check.status === 'failed') }
}

const untilReady = (service: ServiceProcess, seconds: number) =>
  vi.waitFor(async () => expect(await readiness(service)).toMatchObject({ httpStatus: 200, status: 'ready' }), {
    timeout: seconds * 1_000,
    interval: 50,
  })

const untilNotReady = (service: ServiceProcess, seconds: number) =>
  vi.waitFor(async () => expect(await readiness(service)).toMatchObject({ httpStatus: 503, status: 'unavailable' }), {
    timeout: seconds * 1_000,
    interval: 50,
  })

/** A service whose connections to its database pass a proxy, when it is ready. */
async function startBehindProxy({ env, ...options }: ServiceOptions = {}) {
  const dataDirectory = await temporaryFolder()
  const database = await startEmbeddedPostgres({ dataDirectory })
  const { host, port, user, database: name } = database.connection
  const proxy = await startDatabaseProxy(() => `${host}/.s.PGSQL.${port}`)
  const url = `postgres://${user}@127.0.0.1:${proxy.port}/${name}?sslmode=disable`
  const service = await startServiceProcess({
    ...options,
    dataDirectory: await temporaryFolder(),
    env: { MUSTER_DATABASE_URL: url, MUSTER_MIN_FREE_DISK: '0', ...env },
  })
  onTestFinished(async () => {
    await service.kill('SIGKILL')
    await proxy.close()
    await database.stop()
  })
  await untilReady(service, 30)
  return { service, proxy }
}

// The fault matrix covers the other faults, and the times within which readiness turns.
test('while the network to the database is silent, the node is alive but not ready, and says what does not work', async () => {
  const { service, proxy } = await startBehindProxy()

  proxy.silenceAll()
  await untilNotReady(service, 10)
  const [alive, healthy] = [await statusOf(service, '/health/live'), await statusOf(service, '/health')]
  // Long enough for the service to run out of connections that it takes for working.
  await sleep(8_000)
  const { failed } = await readiness(service)
  await proxy.pass()
  await untilReady(service, 10)

  expect({ alive, healthy }).toEqual({ alive: 200, healthy: 503 })
  expect(failed.map(({ name }) => name)).toEqual(['reads', 'sign-in', 'contacts', 'writes', 'statements', 'jobs'])
  expect(service.output()).toContain('No statement has been answered.')
  expect(await statusOf(service, '/health')).toBe(200)
})

test('each worker of a node is ready, knows that the jobs of the first process run, and shows in the metrics', async () => {
  const { service } = await startBehindProxy({ env: { MUSTER_WORKERS: '2' } })
  const headers = { authorization: `Bearer ${await accessToken(service)}` }
  const metrics = async () => (await fetch(`${service.address}/metrics`, { headers })).text()

  // They show the worker in the worst state, and one may have started later.
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^muster_ready 1$/m), 20_000)
  expect(await metrics()).toMatch(/^muster_health_check\{check="jobs"\} 1$/m)
})
