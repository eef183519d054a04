import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  copyInitialised,
  serverProcesses,
  temporaryFolder,
  until,
  untilNoServer,
} from '../database/embedded-postgres/muster.ts'
import { bundledProgram } from '../world/programs.ts'
import {
  accessToken,
  installedFolder,
  listFaults,
  type RunningProcess,
  repository,
  type ServiceProcess,
  sendToGroup,
  spawnService,
  startServiceProcess,
} from '../world/service-process.ts'
import { openSocket, readAnswer } from './raw-http.ts'

test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s the service answers the request in progress, accepts no new one, and leaves no process behind, even if clients never finish their request or keep their connection open',
  async (signal) => {
    const service = await startServiceProcess()
    const request = await beginRequest(service)
    await openLastingConnections(service)

    service.process.kill(signal)
    await until(() => (service.output().includes(`${signal}: stopping`) ? true : undefined))
    const refused = await until(() => refusalOf(service))
    const answer = await request.finish()

    expect(refused).toContain('ECONNREFUSED')
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await service.exited).toEqual({ code: 0, signal: null })
    expect(await serverProcesses(service.dataDirectory)).toEqual([])
    expect(listFaults(service)).toEqual([])
  },
)

/** The same command as that of `npm start`, with the bundle, which starts in a third of the time. */
async function bundleUnderNpm(): Promise<['npm', ...string[]]> {
  const folder = await temporaryFolder()
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const start = scripts.start.replace('server/src/main.ts', bundledProgram('main'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }))
  return ['npm', '--prefix', folder, 'start']
}

// A signal to the whole group arrives twice, as npm forwards it. Which one it is makes no difference there.
test.each([
  ['SIGTERM to npm', 'SIGTERM', 'process', async () => ['npm', 'start'] as const],
  ['Ctrl-C', 'SIGINT', 'group', bundleUnderNpm],
] as const)('a service that was started by npm stops gracefully on %s', async (_name, signal, target, command) => {
  const service = await startServiceProcess({ command: await command() })
  const request = await beginRequest(service)

  if (target === 'group') sendToGroup(service.process, signal)
  else service.process.kill(signal)
  await until(() => (service.output().includes(`${signal}: stopping`) ? true : undefined))
  const answer = await request.finish()
  await service.exited

  expect(answer?.status).toBe(200)
  expect(await serverProcesses(service.dataDirectory)).toEqual([])
})

/** One client has sent half of its request, another one keeps its connection open after the answer. */
async function openLastingConnections(service: ServiceProcess): Promise<void> {
  const port = Number(new URL(service.address).port)
  const stalled = await openSocket(port)
  stalled.write('POST /api/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello')
  const idle = await openSocket(port)
  const answered = readAnswer(idle)
  idle.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
  await answered
}

test('a second service on the same data directory fails with one sentence, and the first one keeps running until a second signal stops it at once', async () => {
  const service = await startServiceProcess()

  const second = await spawnService({ dataDirectory: service.dataDirectory })
  const { code } = await second.exited
  await beginRequest(service)
  service.process.kill('SIGINT')
  // Under npm, a signal may arrive twice. Both count as one for a second.
  await sleep(1_200)
  const exit = await service.kill('SIGINT')

  expect(code).toBe(1)
  expect(complaints(second)).toEqual([expect.stringContaining(`Another Muster already uses the data directory`)])
  expect(exit).toEqual({ code: 1, signal: null })
  await untilNoServer(service.dataDirectory)
})

test('a signal during the start stops the service, and leaves no database behind', async () => {
  const service = await spawnService({ dataDirectory: await installedFolder() })
  await until(async () =>
    (await serverProcesses(service.dataDirectory).catch(() => [])).length > 0 ? true : undefined,
  )

  await service.kill('SIGTERM')

  await untilNoServer(service.dataDirectory)
  expect(service.output()).not.toContain('Ready after')
})

test('a port that is in use fails the first start with one sentence, leaves no database behind, and the secret of the first administrator is not lost', async () => {
  const dataDirectory = await copyInitialised(await temporaryFolder())
  const generated = { MUSTER_BOOTSTRAP_CLIENT_SECRET: '' }
  const port = await takenPort()

  const failed = await spawnService({ dataDirectory, env: { ...generated, MUSTER_PORT: port } })
  const { code } = await failed.exited

  expect(code).toBe(1)
  expect(complaints(failed)).toEqual([expect.stringContaining(`127.0.0.1:${port}`)])
  expect(await serverProcesses(dataDirectory)).toEqual([])
  const service = await startServiceProcess({ dataDirectory, env: generated })

  await until(() => (/client secret {2}[\w-]{43}\n/.test(service.output()) ? true : undefined))
})

// The unit of systemd does not restart a service whose settings are wrong. Other failures may end by themselves.
const wrongSettings = 78
const otherFailure = 1

// Those that are refused while the settings are read have their tests there; the first one stands for all of them.
test.each([
  [{ MUSTER_PORT: 'http' }, wrongSettings],
  [{ MUSTER_DATABASE_URL: 'postgres://[/' }, otherFailure],
  [{ MUSTER_DATA_DIR: 'package.json' }, otherFailure],
])('the invalid setting %o fails the start with one sentence and the status %i', async (env, status) => {
  await expectOneSentence(await spawnService({ env }), status)
})

test.each([
  [{ MUSTER_PLAIN_HTTP: 'off' }, wrongSettings],
  [{ MUSTER_TLS_CERT: 'missing.pem', MUSTER_TLS_KEY: 'missing.pem' }, wrongSettings],
  [{ MUSTER_TLS_CERT: 'package.json', MUSTER_TLS_KEY: 'package.json' }, wrongSettings],
  [{ MUSTER_TLS_CERT: 'missing.pem', MUSTER_TLS_KEY: 'missing.pem', MUSTER_WORKERS: '2' }, wrongSettings],
  [{ MUSTER_HOST: 'no.such.host.invalid' }, otherFailure],
])(
  'the invalid setting %o, which is noticed after the database started, fails the start with one sentence and the status %i',
  async (env, status) => {
    await expectOneSentence(await spawnService({ dataDirectory: await installedFolder(), env }), status)
  },
)

async function expectOneSentence(service: RunningProcess, status: number): Promise<void> {
  const { code } = await service.exited

  expect(code).toBe(status)
  expect(complaints(service)).toEqual([expect.stringMatching(/^Muster cannot start: \S.*$/)])
  expect(await serverProcesses(service.dataDirectory)).toEqual([])
}

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

/** A request whose handler already waits for the rest of its body. */
async function beginRequest(service: ServiceProcess) {
  const token = await accessToken(service)
  const body = JSON.stringify({ description: 'while stopping', roles: [], expiresAtUtc: null })
  const socket = await openSocket(Number(new URL(service.address).port))
  const answered = readAnswer(socket)
  socket.write(
    [
      'POST /api/admin/local-principals HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body.slice(0, 10),
    ].join('\r\n'),
  )
  // Answered on another connection afterwards so that this one has been read.
  await accessToken(service)
  return {
    finish() {
      socket.write(body.slice(10))
      return answered
    },
  }
}

/**
 * Why no new request is taken; undefined while one still is, in the moment between the signal and its effect. In that moment,
 * a connection that waits to be accepted is reset or closed.
 */
function refusalOf(service: ServiceProcess): Promise<string | undefined> {
  return fetch(`${service.address}/health`).then(
    () => undefined,
    ({ cause }: Error) => (String(cause).includes('ECONNREFUSED') ? String(cause) : undefined),
  )
}

/** The output besides the progress of the start. */
function complaints(service: RunningProcess): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line !== '' && !/^(Starting Muster| {2}\w+ +\d)/.test(line))
}
