import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { postmasterPid, temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { startExternalPostgres } from '../world/external-postgres.ts'
import {
  accessToken,
  createPrincipal,
  installedFolder,
  type ServiceProcess,
  spawnService,
  startServiceProcess,
  untilHealthy,
  untilListening,
  untilOtherPostmaster,
} from '../world/service-process.ts'

const answerTimeoutMs = 8_000

test('the service recovers from SIGINT, SIGKILL and SIGQUIT to the embedded database without help', {
  timeout: 180_000,
}, async () => {
  const service = await startServiceProcess()
  for (const signal of ['SIGINT', 'SIGKILL', 'SIGQUIT'] as const) {
    const watch = await watchService(service)
    const postmaster = await postmasterPid(service.dataDirectory)

    process.kill(postmaster, signal)
    await untilOtherPostmaster(service.dataDirectory, postmaster)
    await untilHealthy(service)
    const answers = await watch.stop()

    expect(answers, signal).toEqual(new Set([created, createdLater, healthy, unhealthy]))
    await expectEverythingToWork(service)
  }
})

test('while an external database is down, requests are answered with 503, and succeed again when it is up; if it disappears again, a signal at the same time stops the service', async () => {
  const dataDirectory = await installedFolder()
  const first = await startExternalPostgres(dataDirectory)
  const service = await startServiceOn(first.url)
  const watch = await watchService(service)

  await first.stop()
  await until(async () => ((await fetch(`${service.address}/health`)).status === 503 ? true : undefined))
  // Unknown keys are looked for once a second.
  await sleep(1_000)
  const ofAnotherNode = await fetch(`${service.address}/api/service/whoami`, {
    headers: { authorization: `Bearer ${tokenUnderUnknownKey}` },
  })
  const second = await startExternalPostgres(dataDirectory)
  await untilHealthy(service)
  const answers = await watch.stop()

  expect(answers).toEqual(new Set([created, createdLater, healthy, unhealthy]))
  expect(ofAnotherNode.status).toBe(503)
  await expectEverythingToWork(service)
  await expectToStopWithout(second, service, 0)
})

test('a service that is started before its database waits for it, and stops when it gets a signal after the database disappeared', async () => {
  const dataDirectory = await installedFolder()
  const { url, stop } = await startExternalPostgres(dataDirectory)
  await stop()

  const starting = await spawnService({ env: { MUSTER_DATABASE_URL: url } })
  await until(() => /The database is unavailable\. Waiting/.test(starting.output()) || undefined)
  const postgres = await startExternalPostgres(dataDirectory)
  const service = await untilListening(starting)

  await expectEverythingToWork(service)
  await expectToStopWithout(postgres, service, 300)
})

/** Stops the database while the service has requests, and the service a moment later. */
async function expectToStopWithout(
  postgres: { stop(): Promise<void> },
  service: ServiceProcess,
  milliseconds: number,
): Promise<void> {
  const watch = await watchService(service)
  const gone = postgres.stop()
  await sleep(milliseconds)

  expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
  await watch.stop()
  await gone
}

const startServiceOn = async (url: string) =>
  startServiceProcess({ dataDirectory: await temporaryFolder(), env: { MUSTER_DATABASE_URL: url } })

/** Only the database knows whether another node has just created the key of this token. */
const tokenUnderUnknownKey = [{ alg: 'EdDSA', typ: 'at+jwt', kid: 'unknown' }, { iss: 'urn:muster' }, 'signature']
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

const created = 'create: 200'
const createdLater = 'create: 503 DatabaseUnavailable, retry after 2'
const healthy = 'health: 200 ok'
const unhealthy = 'health: 503 unavailable, The database cannot be reached., retry after 2'

/** Keeps writing and asking for the health, and collects each kind of answer. */
async function watchService(service: ServiceProcess) {
  const token = await accessToken(service)
  const answers = new Set<string>()
  let stopped = false
  async function repeat(ask: () => Promise<string>): Promise<void> {
    while (!stopped) {
      const began = performance.now()
      const answer = await ask().catch((error: unknown) => `no answer: ${error}`)
      answers.add(performance.now() - began > answerTimeoutMs ? `late: ${answer}` : answer)
      await sleep(10)
    }
  }
  const repeating = Promise.all([
    repeat(() => create(service, token)),
    repeat(() => create(service, token)),
    repeat(() => health(service)),
  ])
  await until(() => (answers.has(created) && answers.has(healthy) ? true : undefined))
  return {
    async stop() {
      stopped = true
      await repeating
      return answers
    },
  }
}

async function create(service: ServiceProcess, token: string): Promise<string> {
  const response = await createPrincipal(service, token, 'during a restart')
  const { code } = (await response.json()) as { code?: string }
  return response.ok ? `create: ${response.status}` : `create: ${response.status} ${code}, ${retryAfter(response)}`
}

async function health({ address }: ServiceProcess): Promise<string> {
  const response = await fetch(`${address}/health`)
  const { status, reason } = (await response.json()) as { status: string; reason?: string }
  return response.ok
    ? `health: ${response.status} ${status}`
    : `health: ${response.status} ${status}, ${reason}, ${retryAfter(response)}`
}

function retryAfter(response: Response): string {
  return `retry after ${response.headers.get('retry-after')}`
}

async function expectEverythingToWork(service: ServiceProcess): Promise<void> {
  const token = await accessToken(service)
  expect(await create(service, token)).toBe(created)
  expect(await health(service)).toBe(healthy)
}
