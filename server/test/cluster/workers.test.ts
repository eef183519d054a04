import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../database/embedded-postgres/muster.ts'
import {
  accessToken,
  administrator,
  createPrincipal,
  listWorkers,
  type ServiceProcess,
  sendToGroup,
  spawnService,
  startServiceProcess,
} from '../world/service-process.ts'

// Several processes start on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

type Token = { access_token: string }
type Created = { id: number; clientId: string; plaintextKey: string }

/** Uses a new connection each time so that different workers answer. */
function send({ address }: ServiceProcess, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address + path, { ...init, headers: { ...init.headers, connection: 'close' } })
}

function requestToken(service: ServiceProcess, clientId: string, clientSecret: string): Promise<Response> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  return send(service, '/api/auth/token', { method: 'POST', body: new URLSearchParams(body) })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function repeat<T>(count: number, action: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < count) results.push(await action())
  return results
}

test('workers share rate limits and add up their metrics; a killed one is replaced while the other one answers, all refuse a revoked principal, and they end with the service', async () => {
  const service = await startServiceProcess({ env: { MUSTER_WORKERS: '2', MUSTER_TOKEN_RATE_LIMIT: '7' } })
  const { clientId, clientSecret } = administrator
  const admin = await accessToken(service)
  const created = (await (await createPrincipal(service, admin, 'to be revoked')).json()) as Created
  const { access_token } = (await (await requestToken(service, created.clientId, created.plaintextKey)).json()) as Token

  // Each client has its own limit, and this one has got a token before.
  const answers = await repeat(8, () => requestToken(service, clientId, clientSecret))
  const metrics = await (await send(service, '/metrics', { headers: bearer(admin) })).text()

  expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429, 429])
  const issued = /request_duration_seconds_count\{operation="requestToken",[^}]*status="200"\} (\d+)/
  expect(issued.exec(metrics)?.[1]).toBe('8')

  const [victim = 0] = await listWorkers(service)
  const whoAmI = async () => (await send(service, '/api/service/whoami', { headers: bearer(access_token) })).status
  process.kill(victim, 'SIGKILL')
  await until(() => (/A worker died/.test(service.output()) ? true : undefined))
  const meanwhile = await repeat(4, whoAmI)
  const afterDeath = await (await send(service, '/metrics', { headers: bearer(admin) })).text()
  const workers = await until(async () => {
    const found = await listWorkers(service)
    return found.length === 2 ? found : undefined
  })
  await send(service, `/api/admin/local-principals/${created.id}/revoke`, {
    method: 'PATCH',
    headers: { ...bearer(admin), 'content-type': 'application/json' },
    body: JSON.stringify({ isRevoked: true }),
  })
  const afterwards = await repeat(6, whoAmI)

  expect(meanwhile).toEqual([200, 200, 200, 200])
  // The two workers have answered these requests together, and one of them is gone.
  expect(issued.exec(afterDeath)?.[1]).toBe('8')
  expect(workers).not.toContain(victim)
  expect(afterwards).toEqual(Array(6).fill(401))

  sendToGroup(service.process, 'SIGTERM')
  expect(await service.exited).toEqual({ code: 0, signal: null })
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
})

test('the service reports in one sentence that its workers cannot listen, and leaves no worker running', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void occupant.close())
  await once(occupant, 'listening')
  const { port } = occupant.address() as AddressInfo

  const service = await spawnService({ env: { MUSTER_WORKERS: '2', MUSTER_PORT: String(port) } })
  const exit = await service.exited

  expect(exit.code).toBe(1)
  expect(service.output()).toMatch(/^Muster cannot start: .*EADDRINUSE/m)
  expect(service.output()).not.toContain('    at ')
})
