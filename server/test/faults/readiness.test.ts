import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { accessToken, type ServiceOptions, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'
import { type DatabaseProxy, startDatabaseProxy } from './matrix/database-proxy.ts'

vi.setConfig({ testTimeout: 120_000 })

type Readiness = { status: string; checks: { name: string; status: string }[] }

const statusOf = async ({ address }: ServiceProcess, path: string) => (await fetch(address + path)).status

// All questions come on one connection: a service without file descriptors accepts no other.
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
  const database = { current: await startEmbeddedPostgres({ dataDirectory }) }
  const { host, port, user, database: name } = database.current.connection
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
    await database.current.stop()
  })
  await untilReady(service, 30)
  const restart = async () => {
    database.current = await startEmbeddedPostgres({ dataDirectory })
  }
  return { service, proxy, database, restart }
}

const networkFaults: [string, (proxy: DatabaseProxy) => unknown][] = [
  ['falls silent', (proxy) => proxy.silenceAll()],
  ['resets all connections', (proxy) => proxy.resetAll()],
]

test.each(networkFaults)(
  'when the network to the database %s, the node is not ready within 10 s, and ready within 5 s of the end',
  async (_, begin) => {
    const { service, proxy } = await startBehindProxy()

    await begin(proxy)
    await untilNotReady(service, 10)
    const [alive, healthy] = [await statusOf(service, '/health/live'), await statusOf(service, '/health')]
    // Long enough for the service to run out of connections that it takes for working.
    await sleep(8_000)
    const { failed } = await readiness(service)
    await proxy.pass()
    await untilReady(service, 5)

    expect({ alive, healthy }).toEqual({ alive: 200, healthy: 503 })
    expect(failed.map(({ name }) => name)).toEqual(['reads', 'sign-in', 'contacts', 'writes', 'statements', 'jobs'])
    expect(service.output()).toContain('No statement has been answered.')
    expect(await statusOf(service, '/health')).toBe(200)
  },
)

test('while the database is down, the node is alive but not ready, and it is ready within 5 s of its return', async () => {
  const { service, database, restart } = await startBehindProxy()

  await database.current.stop()
  await untilNotReady(service, 10)
  const alive = await statusOf(service, '/health/live')
  await sleep(3_000)
  await restart()
  await untilReady(service, 5)

  expect(alive).toBe(200)
})

test('one silent connection after the other does not take a node out of service', async () => {
  const { service, proxy } = await startBehindProxy()
  const seen = new Set<number | undefined>()

  for (let connection = 0; connection < 4; connection++) {
    proxy.silenceOne()
    for (let probe = 0; probe < 30; probe++) {
      seen.add((await readiness(service)).httpStatus)
      await sleep(100)
    }
  }

  expect(seen).toEqual(new Set([200]))
})

test('a node without free file descriptors is not ready, and ready again within 5 s after some became free', async () => {
  const program = `ulimit -n 120; exec '${process.execPath}' server/src/main.ts`
  const { service } = await startBehindProxy({ command: ['sh', '-c', program] })
  const port = Number(new URL(service.address).port)

  const idle = Array.from({ length: 150 }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}))
  await untilNotReady(service, 10)
  const { failed } = await readiness(service)
  for (const socket of idle) socket.destroy()
  await untilReady(service, 5)

  expect(failed.map(({ name }) => name)).toContain('files')
})

test('each worker of a node is ready, knows that the jobs of the first process run, and shows in the metrics', async () => {
  const { service, proxy } = await startBehindProxy({ env: { MUSTER_WORKERS: '2' } })
  const headers = { authorization: `Bearer ${await accessToken(service)}` }
  const metrics = async () => (await fetch(`${service.address}/metrics`, { headers })).text()

  // They show the worker in the worst state, and one may have started later.
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^muster_ready 1$/m), 10_000)
  expect(await metrics()).toMatch(/^muster_health_check\{check="jobs"\} 1$/m)
  proxy.silenceAll()
  await untilNotReady(service, 10)
  await sleep(8_000)
  await proxy.pass()
  await untilReady(service, 5)
})
