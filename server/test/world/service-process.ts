import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { postmasterPid, temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { administrator } from './administrator.ts'
import { compileCache } from './compile-cache.ts'
import { madeOnce } from './made-once.ts'
import { bundledProgram } from './programs.ts'

export { administrator } from './administrator.ts'

export const repository = join(import.meta.dirname, '../../..')

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type ServiceOptions = {
  /** An empty directory makes this the first start of an installation, which takes longer. */
  dataDirectory?: string
  /** Settings in addition to a free port, the credentials above and no rate limit. */
  env?: Record<string, string>
  /** Another command that starts the service, run from the root of the repository. */
  command?: readonly [string, ...string[]]
}

export type RunningProcess = {
  process: ChildProcess
  dataDirectory: string
  /** Standard output and standard error so far, in the order of arrival. */
  output(): string
  /** Resolves when the process has ended and all its output has arrived. */
  exited: Promise<Exit>
  /** Sends the signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>
}

export type ServiceProcess = RunningProcess & { address: string }

/**
 * Starts the service as a process, on a new installation if none is given, and waits until it listens.
 * It is killed after the test if it is still running.
 */
export async function startServiceProcess(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const dataDirectory = options.dataDirectory ?? (await installedFolder())
  return untilListening(await spawnService({ ...options, dataDirectory }))
}

let installation: Promise<string> | undefined

/** A data directory as after the first start. It is a copy of one that the whole run creates once. */
export async function installedFolder(): Promise<string> {
  // A failed start, on a machine that is too busy, must not fail the tests after it.
  installation ??= madeOnce('installation', install).catch((error) => {
    installation = undefined
    throw error
  })
  const folder = await temporaryFolder()
  await promisify(execFile)('cp', ['-a', `${await installation}/.`, folder])
  return folder
}

async function install(dataDirectory: string): Promise<void> {
  const service = await startServiceProcess({ dataDirectory })
  await service.kill('SIGTERM')
}

export async function untilListening(service: RunningProcess): Promise<ServiceProcess> {
  const address = await until(() => {
    const { exitCode, signalCode } = service.process
    if (exitCode !== null || signalCode !== null) throw new Error(`The service did not start:\n${service.output()}`)
    return /^Ready after .*, listening on (\S+)/m.exec(service.output())?.[1]
  }, 60_000)
  return { ...service, address }
}

/** Starts the service as a process without waiting until it listens, in an empty data directory if none is given. */
export async function spawnService(options: ServiceOptions = {}): Promise<RunningProcess> {
  const { env = {}, command = [process.execPath, bundledProgram('main')] } = options
  const dataDirectory = options.dataDirectory ?? (await temporaryFolder())
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, as in a terminal.
    detached: true,
    env: { ...environment, MUSTER_DATA_DIR: dataDirectory, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(`The service of the failed test printed:\n${output}`)
    if (child.exitCode === null && child.signalCode === null) sendToGroup(child, 'SIGKILL')
    await exited
  })
  return { process: child, dataDirectory, output: () => output, exited, kill }
}

/**
 * The warnings and errors in the log of a service. Those of health checks are left out: they say that the machine is busy with
 * other tests, or that jobs end before the last request.
 */
export function listFaults({ output }: Pick<RunningProcess, 'output'>): string[] {
  return output()
    .split('\n')
    .filter((line) => /^\{"level":[456]0/.test(line) && !line.includes('"check":'))
}

/** Sends the signal to the whole process group, as Ctrl-C in a terminal does. */
export function sendToGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

// None of the settings of the user who runs the tests.
const environment = {
  PATH: [dirname(process.execPath), process.env.PATH].join(':'),
  HOME: process.env.HOME ?? tmpdir(),
  ...compileCache,
  TMPDIR: tmpdir(),
  MUSTER_PORT: '0',
  MUSTER_TOKEN_RATE_LIMIT: '0',
  MUSTER_BOOTSTRAP_CLIENT_ID: administrator.clientId,
  MUSTER_BOOTSTRAP_CLIENT_SECRET: administrator.clientSecret,
}

/** An access token of the first administrator, or of the principal with these credentials. */
export async function accessToken(
  { address }: { address: string },
  { clientId, clientSecret } = administrator,
): Promise<string> {
  const response = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

/** Creates a local principal over HTTP. Its description distinguishes it from others. */
export function createPrincipal({ address }: { address: string }, token: string, description: string) {
  return fetch(`${address}/api/admin/local-principals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description, roles: ['computer.read'], expiresAtUtc: null }),
  })
}

export async function untilHealthy({ address }: { address: string }): Promise<void> {
  await until(async () => ((await fetch(`${address}/health`)).ok ? true : undefined))
}

/** Waits until the embedded server was restarted and has another pid. */
export async function untilOtherPostmaster(dataDirectory: string, old: number): Promise<void> {
  await until(async () => {
    const pid = await postmasterPid(dataDirectory).catch(() => Number.NaN)
    return pid > 0 && pid !== old ? true : undefined
  })
}

/** The pids of the workers of a service that runs with several. */
export async function listWorkers({ process: { pid } }: RunningProcess): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const named = children
    .split(' ')
    .filter(Boolean)
    .map(async (child) => ({ pid: Number(child), command: await commandOf(child) }))
  return (await Promise.all(named)).filter(({ command }) => /\/worker\.[jt]s/.test(command)).map(({ pid }) => pid)
}

/** The command of a process; empty if it has just ended. */
function commandOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}
