import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import { expect, test, vi } from 'vitest'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { listWorkers, type ServiceProcess, sendToGroup, startServiceProcess } from '../world/service-process.ts'

// Several processes start on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const twoWorkers = { MUSTER_WORKERS: '2' }
/** Makes every process of the service occupy its event loop for good when it receives SIGUSR2, without using a processor. */
const hangOnSignal =
  "--import=data:text/javascript,process.on('SIGUSR2',()=>Atomics.wait(new%20Int32Array(new%20SharedArrayBuffer(4)),0,0))"

/** Sends requests one after the other, each on a new connection, until it is stopped. Returns their outcomes. */
function sendRequests({ address }: ServiceProcess) {
  const outcomes: (number | string)[] = []
  let isStopped = false
  const finished = (async () => {
    while (!isStopped) {
      const sent = fetch(`${address}/health`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(20_000) })
      outcomes.push(await sent.then(({ status }) => status).catch((error: Error) => error.name))
      await sleep(100)
    }
  })()
  return {
    outcomes,
    async stop() {
      isStopped = true
      await finished
      return outcomes
    },
  }
}

async function untilPrinted({ output }: ServiceProcess, text: string): Promise<void> {
  await until(() => output().includes(text), 60_000).catch(() => {
    throw new Error(`The service has not printed "${text}", but:\n${output()}`)
  })
}

const deathsIn = ({ output }: ServiceProcess) => output().match(/A worker died/g)?.length ?? 0

/** The workers once there are two and the given one is gone. */
function untilReplaced(service: ServiceProcess, victim: number): Promise<number[]> {
  return until(async () => {
    const workers = await listWorkers(service)
    return workers.length === 2 && !workers.includes(victim) ? workers : undefined
  }, 20_000)
}

test('workers survive that the whole service was suspended for longer than a worker may hang, and one that is stopped or busy forever is replaced while the other one answers', async () => {
  const service = await startServiceProcess({ env: { ...twoWorkers, NODE_OPTIONS: hangOnSignal } })
  await expectToSurviveSuspension(service)
  await expectReplacement(service, 'SIGSTOP')
  await expectReplacement(service, 'SIGUSR2')

  expect(deathsIn(service)).toBe(2)
  expect(service.output().match(/A worker does not respond. It is being killed./g)).toHaveLength(2)
})

async function expectToSurviveSuspension(service: ServiceProcess): Promise<void> {
  const workers = await listWorkers(service)

  sendToGroup(service.process, 'SIGSTOP')
  await sleep(6_500)
  sendToGroup(service.process, 'SIGCONT')
  const client = sendRequests(service)
  await sleep(2_000)

  expect(new Set(await client.stop())).toEqual(new Set([200]))
  expect(await listWorkers(service)).toEqual(workers)
  expect(deathsIn(service)).toBe(0)
}

/** The signal makes a worker hang, and the other one answers until it is replaced. */
async function expectReplacement(service: ServiceProcess, signal: NodeJS.Signals): Promise<void> {
  const [victim = 0, survivor = 0] = await listWorkers(service)
  const clients = [1, 2, 3, 4].map(() => sendRequests(service))
  await until(() => (clients.every(({ outcomes }) => outcomes.length > 10) ? true : undefined))

  process.kill(victim, signal)
  const replaced = await untilReplaced(service, victim)
  const outcomes = (await Promise.all(clients.map((client) => client.stop()))).flat()
  const afterwards = sendRequests(service)
  await until(() => (afterwards.outcomes.length > 10 ? true : undefined))

  expect(replaced).toContain(survivor)
  // A client that was connected to the hanging worker lost its request when that was killed; it did not wait forever.
  expect(outcomes.filter((outcome) => outcome !== 200).length).toBeLessThanOrEqual(clients.length)
  expect(outcomes).not.toContain('TimeoutError')
  expect(new Set(await afterwards.stop())).toEqual(new Set([200]))
}

test('a replacement that cannot start is replaced until one can', async () => {
  const folder = await temporaryFolder()
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }])
  const files = { MUSTER_TLS_CERT: join(folder, 'cert.pem'), MUSTER_TLS_KEY: join(folder, 'key.pem') }
  await writeFile(files.MUSTER_TLS_CERT, cert)
  await writeFile(files.MUSTER_TLS_KEY, key)
  const service = await startServiceProcess({
    env: { ...twoWorkers, ...files, MUSTER_TLS_PORT: '0', MUSTER_PLAIN_HTTP: 'on' },
  })
  const [victim = 0] = await listWorkers(service)
  await rm(files.MUSTER_TLS_CERT)

  process.kill(victim, 'SIGKILL')
  await untilPrinted(service, 'The replacement of a worker cannot start: MUSTER_TLS_CERT names ')
  await writeFile(files.MUSTER_TLS_CERT, cert)

  await untilPrinted(service, 'The replacement of a worker has started.')
})
