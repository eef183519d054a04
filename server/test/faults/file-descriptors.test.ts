import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../database/embedded-postgres/muster.ts'
import { manifestOf } from '../packages/package-world.ts'
import { startExternalPostgres } from '../world/external-postgres.ts'
import { bundledProgram } from '../world/programs.ts'
import { accessToken, installedFolder, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'

type Answer = { status: number; retryAfter: string | undefined; body: { code?: string; [property: string]: unknown } }

/** A client with one connection, which stays open. */
type Client = (method: string, path: string, body?: object) => Promise<Answer>

const maxDescriptors = 1_024
const connections = 300

test('without free file descriptors, no write gets 500, and an accepted import succeeds once there are some again', async () => {
  const service = await startLimitedService()
  const token = await packageToken(service)
  const clients = await openClients(service, token, connections)
  const [first, second] = clients as [Client, Client]

  await allowDescriptors(service, 1)
  const trackingId = await until(async () => {
    const { body } = await first('POST', '/api/packages/import', { folderPath: 'greeting' })
    return body.trackingId
  })
  const waiting = await until(async () => {
    const { status, body } = await first('GET', `/api/packages/import/${trackingId}`)
    return status === 200 && body.message ? body : undefined
  }, 20_000)
  const writes = await Promise.all(clients.map((call) => call('POST', '/api/admin/local-principals', principal)))
  const page = await second('GET', '/admin')
  await allowDescriptors(service, maxDescriptors)
  const imported = await until(async () => {
    const { body } = await first('GET', `/api/packages/import/${trackingId}`)
    return body.finishedAtUtc ? body : undefined
  }, 30_000)

  expect(waiting).toMatchObject({
    status: 'Pending',
    message: 'The service ran out of file descriptors. The job is attempted again automatically.',
  })
  expect(writes.map(summary).filter((answer) => !['200', exhausted].includes(answer))).toEqual([])
  expect(summary(page)).toBe(exhausted)
  expect(imported).toMatchObject({ status: 'Success' })
  expect((await first('POST', '/api/admin/local-principals', principal)).status).toBe(200)
}, 90_000)

test.each([1, 2])(
  'more connections than file descriptors leave a service with %i workers able to write and to accept new ones later',
  async (workers) => {
    const service = await startLimitedService({ limit: 256, env: { MUSTER_WORKERS: String(workers) } })
    const token = await packageToken(service)

    const clients = await openClients(service, token, workers * 256)
    const writes = await Promise.all(clients.map((call) => call('POST', '/api/admin/local-principals', principal)))
    closeConnections()
    const [later] = await until(async () => {
      const opened = await openClients(service, token, 1)
      return opened.length > 0 ? opened : undefined
    })

    expect(clients.length).toBeGreaterThan(50)
    expect(clients.length).toBeLessThan(workers * 256)
    expect(new Set(writes.map(summary))).toEqual(new Set(['200']))
    expect((await later?.('POST', '/api/admin/local-principals', principal))?.status).toBe(200)
  },
  60_000,
)

const exhausted = '503 ResourcesExhausted, retry after 5'
const principal = { description: 'during a shortage', roles: ['computer.read'], expiresAtUtc: null }

function summary({ status, retryAfter, body }: Answer): string {
  return body.code ? `${status} ${body.code}, retry after ${retryAfter}` : String(status)
}

/** A service that may open this many file descriptors, with a package to import. Its database has no such limit. */
async function startLimitedService({ limit = maxDescriptors, env = {} } = {}): Promise<ServiceProcess> {
  const dataDirectory = await installedFolder()
  const { url } = await startExternalPostgres(dataDirectory)
  const folder = join(dataDirectory, 'packages', 'greeting')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'muster-package.json'), JSON.stringify(manifestOf()))
  return startServiceProcess({
    dataDirectory,
    command: ['sh', '-c', `ulimit -n ${limit} && exec "$0" "$1"`, process.execPath, bundledProgram('main')],
    env: { MUSTER_DATABASE_URL: url, ...env },
  })
}

/** Changes how many file descriptors the running service may open. Those that are open stay open. */
async function allowDescriptors({ process: { pid } }: ServiceProcess, count: number): Promise<void> {
  await promisify(execFile)('prlimit', [`--pid=${pid}`, `--nofile=${count}:${maxDescriptors}`])
}

async function packageToken(service: ServiceProcess): Promise<string> {
  const [administrator] = (await openClients(service, await accessToken(service), 1)) as [Client]
  const roles = ['admin.manage', 'package.read', 'package.write']
  const created = await administrator('POST', '/api/admin/local-principals', { ...principal, roles })
  const { clientId, plaintextKey } = created.body as { clientId: string; plaintextKey: string }
  return accessToken(service, { clientId, clientSecret: plaintextKey })
}

const agents: Agent[] = []

function closeConnections(): void {
  for (const agent of agents.splice(0)) agent.destroy()
}

/** Opens connections one after the other, until there are enough of them or the service closes one. */
async function openClients({ address }: ServiceProcess, token: string, count: number): Promise<Client[]> {
  const clients: Client[] = []
  onTestFinished(closeConnections)
  while (clients.length < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    const client: Client = (method, path, body) => send(agent, token, method, new URL(path, address), body)
    if ((await client('GET', '/api').catch(() => undefined)) === undefined) break
    clients.push(client)
  }
  return clients
}

function send(agent: Agent, token: string, method: string, url: URL, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      text(response).then((content) => {
        const { statusCode: status = 0, headers } = response
        const isJson = headers['content-type']?.includes('json')
        resolve({ status, retryAfter: headers['retry-after'], body: isJson ? JSON.parse(content) : {} })
      }, reject)
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
