import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { startExternalPostgres } from '../world/external-postgres.ts'
import { accessToken, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'
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

/** A service with two workers whose connections to their database pass a proxy, when it is ready. */
async function startBehindProxy() {
  const database = await startExternalPostgres()
  const { host, port, user, database: name } = database.connection
  const proxy = await startDatabaseProxy(() => `${host}/.s.PGSQL.${port}`)
  const url = `postgres://${user}@127.0.0.1:${proxy.port}/${name}?sslmode=disable`
  const service = await startServiceProcess({
    dataDirectory: await temporaryFolder(),
    env: { MUSTER_DATABASE_URL: url, MUSTER_MIN_FREE_DISK: '0', MUSTER_WORKERS: '2' },
  })
  onTestFinished(async () => {
    await service.kill('SIGKILL')
    await proxy.close()
  })
  await untilReady(service, 30)
  return { service, proxy }
}

// The fault matrix covers the other faults, and the times within which readiness turns.
test('each worker is ready and knows that the jobs of the first process run; while the network to the database is silent, it is alive but not ready, and says what does not work', async () => {
  const { service, proxy } = await startBehindProxy()
  const headers = { authorization: `Bearer ${await accessToken(service)}` }
  const metrics = async () => (await fetch(`${service.address}/metrics`, { headers })).text()
  // They show the worker in the worst state, and one may have started later.
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^muster_ready 1$/m), 20_000)
  const whileReady = await metrics()

  proxy.silenceAll()
  await untilNotReady(service, 10)
  const [alive, healthy] = [await statusOf(service, '/health/live'), await statusOf(service, '/health')]
  // After a while, the service has run out of connections that it takes for working.
  const broken = ['reads', 'sign-in', 'contacts', 'writes', 'statements', 'jobs']
  await vi.waitFor(
    async () => expect((await readiness(service)).failed.map(({ name }) => name)).toEqual(broken),
    20_000,
  )
  await proxy.pass()
  await untilReady(service, 10)

  expect(whileReady).toMatch(/^muster_health_check\{check="jobs"\} 1$/m)
  expect({ alive, healthy }).toEqual({ alive: 200, healthy: 503 })
  expect(service.output()).toContain('No statement has been answered.')
  expect(await statusOf(service, '/health')).toBe(200)
})
