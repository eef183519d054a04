import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyInitialised, postmasterPid, temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import {
  accessToken,
  administrator,
  createPrincipal,
  listFaults,
  type ServiceProcess,
  startServiceProcess,
  untilHealthy,
  untilOtherPostmaster,
} from '../world/service-process.ts'
import { openSocket, sendRaw } from './raw-http.ts'

const wrongSecret = 'a-wrong-secret-that-somebody-tried'
/** The agents of others have their secret in the path. */
const agentSecret = `enrol-${'aB3-_'.repeat(8)}xyz`

/** Checks the lines of the requests after the service has written them. */
async function expectOneLinePerRequest(service: ServiceProcess, answers: Response[], chosen: Response): Promise<void> {
  const lines = requestLines(service)
  for (const answer of answers) {
    const id = answer.headers.get('x-request-id')
    expect(lines.filter(({ reqId }) => reqId === id)).toEqual([expect.objectContaining({ status: answer.status })])
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404, 405, 415]))
  expect(lines.filter((line) => 'callerRequestId' in line)).toMatchObject([
    { reqId: chosen.headers.get('x-request-id'), callerRequestId: 'chosen-by-the-client' },
  ])
}

test('at level trace the log has one line per request, with the request id of the answer and the one that the client chose, but no secret, token or query, even if requests or the database fail; a client that disconnects is not the fault of the service', {
  timeout: 120_000,
}, async () => {
  const service = await startServiceProcess({ env: { MUSTER_LOG_LEVEL: 'trace' } })
  const token = await accessToken(service)
  const created = await createPrincipal(service, token, 'the-description-in-a-body')
  const { plaintextKey } = (await created.json()) as { plaintextKey: string }

  await sendBrokenRequests(service, token)
  const faults = listFaults(service)
  const answers = await Promise.all(hostileRequests(service, token).map((request) => fetch(request)))
  const chosen = await fetch(`${service.address}/health`, { headers: { 'x-request-id': 'chosen-by-the-client' } })
  await failTheDatabase(service, token)
  await service.kill('SIGTERM')

  await expectOneLinePerRequest(service, answers, chosen)
  expect(faults).toEqual([])
  const output = service.output()
  expect(output).toContain('DatabaseUnavailable')
  for (const secret of [plaintextKey, token, administrator.clientSecret, wrongSecret, basic(wrongSecret), agentSecret])
    for (const form of formsOf(secret)) expect(output).not.toContain(form)
  expect(output).not.toContain('the-description-in-a-body')
  expect(output).not.toContain('in-the-query')
})

test('a generated first secret and a sign-in link appear in the welcome text of the first start and nowhere else', {
  timeout: 120_000,
}, async () => {
  const dataDirectory = await copyInitialised(await temporaryFolder())
  const env = { MUSTER_BOOTSTRAP_CLIENT_SECRET: '', MUSTER_LOG_LEVEL: 'trace', MUSTER_WORKERS: '2' }
  const service = await startServiceProcess({ dataDirectory, env })
  const secret = await until(() => /client secret {2}([\w-]{43})\n/.exec(service.output())?.[1])
  const [link = '', token = ''] = /http:\S+#link=([\w-]{43})\n/.exec(service.output()) ?? []
  const redeem = () =>
    fetch(`${service.address}/admin/session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })

  const response = await fetch(tokenRequest(service, secret))
  const uses = [await fetch(link), await redeem(), await redeem()]
  await service.kill('SIGTERM')
  const again = await startServiceProcess({ dataDirectory })

  expect(response.status).toBe(200)
  expect(uses.map(({ status }) => status)).toEqual([200, 200, 401])
  expect([service.output().split(secret).length, service.output().split(token).length]).toEqual([3, 2])
  expect(logLines(service).filter((line) => line.includes(secret) || line.includes(token))).toEqual([])
  expect(again.output()).not.toMatch(/#link=|client secret/)
})

function hostileRequests({ address }: ServiceProcess, token: string): Request[] {
  const bearer = { authorization: `Bearer ${token}` }
  const json = { ...bearer, 'content-type': 'application/json' }
  const principals = `${address}/api/admin/local-principals`
  return [
    tokenRequest({ address }, administrator.clientSecret),
    tokenRequest({ address }, wrongSecret),
    basicTokenRequest({ address }, administrator.clientSecret),
    basicTokenRequest({ address }, wrongSecret),
    new Request(`${address}/api/auth/token?client_secret=${wrongSecret}`, { method: 'POST' }),
    new Request(`${address}/api/service/whoami`, { headers: bearer }),
    new Request(`${address}/api/service/whoami`, { headers: { authorization: `Bearer ${wrongSecret}` } }),
    new Request(`${address}/api/service/whoami?access_token=${token}`, { headers: bearer }),
    new Request(`${address}/api/audit?top=in-the-query`, { headers: bearer }),
    new Request(`${address}/nowhere?${wrongSecret}=${token}`),
    new Request(principals, { method: 'PATCH', headers: bearer }),
    new Request(principals, { method: 'POST', headers: json, body: `{"clientSecret":"${wrongSecret}"}` }),
    new Request(principals, { method: 'POST', headers: json, body: `{"${wrongSecret}` }),
    new Request(principals, {
      method: 'POST',
      headers: { ...json, 'content-type': 'application/xml' },
      body: wrongSecret,
    }),
    ...agentRequests(address),
  ]
}

/** Requests of agents of others, most of them with a wrong method or path. */
function agentRequests(address: string): Request[] {
  const path = `/agent/fusion/${agentSecret}`
  const misspelt = [
    ...[
      `${path}/extra`,
      `/agent/fusion//${agentSecret}`,
      `/agent/fusoin/${agentSecret}`,
      `/AGENT/FUSION/${agentSecret}`,
    ],
    ...[
      `/agent%2ffusion/${agentSecret}`,
      `/agent/fusion/deploy/${agentSecret}/x`,
      `/agent/fusion/files/${agentSecret}`,
    ],
    ...[`//agent/fusion/${agentSecret}`, `/${agentSecret}`, `/fusion;${agentSecret}`, `/api/computer/1/${agentSecret}`],
  ]
  return [
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map(
      (method) => new Request(`${address}${path}`, { method }),
    ),
    ...misspelt.flatMap((wrong) => ['GET', 'POST'].map((method) => new Request(`${address}${wrong}`, { method }))),
  ]
}

function tokenRequest({ address }: { address: string }, secret: string): Request {
  const form = { grant_type: 'client_credentials', client_id: administrator.clientId, client_secret: secret }
  return new Request(`${address}/api/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
}

function basicTokenRequest({ address }: { address: string }, secret: string): Request {
  return new Request(`${address}/api/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic(secret)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
}

function basic(secret: string): string {
  return btoa(`${administrator.clientId}:${secret}`)
}

/** Not valid HTTP, and a client that leaves before its body is complete. */
async function sendBrokenRequests({ address }: ServiceProcess, token: string): Promise<void> {
  const port = Number(new URL(address).port)
  const head = `POST /api/auth/token HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n`
  await sendRaw(port, `${head}Content-Length: none\r\n\r\nclient_secret=${wrongSecret}`)
  await sendRaw(port, `${head}X: \0\r\n\r\n`)
  await sendRaw(port, `GET /%ff?token=${token} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await sendRaw(port, `GET /agent/fusion/${agentSecret}%ff HTTP/1.1\r\nHost: a\r\n\r\n`)
  await sendRaw(port, `GET /agent/fusion/${agentSecret}${'x'.repeat(300)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await sendRaw(port, `GET http://muster:${agentSecret}@a/agent/fusion HTTP/1.1\r\nHost: a\r\n\r\n`)
  const leaving = await openSocket(port)
  leaving.write(
    `${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\nclient_secret=${wrongSecret}`,
  )
  await sleep(200)
  leaving.resetAndDestroy()
  await sleep(200)
}

async function failTheDatabase(service: ServiceProcess, token: string): Promise<void> {
  const postmaster = await postmasterPid(service.dataDirectory)
  process.kill(postmaster, 'SIGKILL')
  await until(async () => ((await createPrincipal(service, token, 'refused')).status === 503 ? true : undefined))
  await fetch(tokenRequest(service, wrongSecret))
  await untilOtherPostmaster(service.dataDirectory, postmaster)
  await untilHealthy(service)
}

/** As it is, in base64, and as the bytes of a buffer. */
function formsOf(secret: string): string[] {
  return [secret, btoa(secret).slice(0, -4), [...Buffer.from(secret)].join(',')]
}

function logLines(service: ServiceProcess): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
}

function requestLines(service: ServiceProcess): { reqId: string; status: number; msg: string }[] {
  return logLines(service)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
}
