import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { isOpenToOthers } from '../../../../tools/open-to-others.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { compileCache } from '../../world/compile-cache.ts'
import { madeOnce } from '../../world/made-once.ts'

type Connection = { host: string; port: number; user: string; database: string }
type Message =
  | { kind: 'phase' | 'warning'; content: string }
  | { kind: 'ready'; content: { connection: Connection; milliseconds: number } }
  | { kind: 'refused'; content: { code: string; message: string } }

export type Account = { uid: number; gid: number }

export const here = dirname(fileURLToPath(import.meta.url))
export const launcherSource = join(here, '../../../src/database/embedded-postgres')

// Real processes on a busy machine: far more time than they normally need.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

export const isRoot = process.getuid?.() === 0
export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The account of PostgreSQL cannot read a checkout in a closed folder. Muster copies the binaries for it at the first start. */
export const mustCopyBinaries = isRoot && !(await isOpenToOthers(launcherSource))

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(mode = 0o711): Promise<string> {
  const folder = await makeFolder(mode)
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** Creates one folder for all tests of a file, because creating a database takes longer than everything else. */
export function sharedFolder(options: { mode?: number; account?: Account } = {}): { path: string } {
  const folder = { path: '' }
  beforeAll(async () => {
    folder.path = await makeFolder(options.mode ?? 0o711)
    if (options.account) await chown(folder.path, options.account.uid, options.account.gid)
  })
  afterAll(() => removeFolder(folder.path))
  return folder
}

/** Makes the folder a data directory as after a first start. It is a copy, which takes a tenth of the time of initdb. */
export async function copyInitialised(dataDirectory: string, account?: Account): Promise<string> {
  const original = await madeOnce('initialised', async (folder) => {
    const { stop } = await startEmbeddedPostgres({ dataDirectory: folder })
    await stop()
  })
  await mkdir(dataDirectory, { recursive: true })
  await promisify(execFile)('cp', ['-a', join(original, 'postgres'), dataDirectory])
  const postgres = join(dataDirectory, 'postgres')
  if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, postgres])
  return dataDirectory
}

async function makeFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  await chmod(folder, mode)
  return folder
}

/** Also removes databases that the folder only links to. A data directory is the folder itself or directly in it. */
async function removeFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  for (const dataDirectory of [folder, ...inside]) {
    const target = await readlink(join(dataDirectory, 'postgres')).catch(() => undefined)
    if (target === undefined) continue
    await rm(target, { recursive: true, force: true })
    await rmdir(dirname(target)).catch(() => undefined)
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Starts a process that runs the launcher in place of Muster. */
export function startMuster(options: {
  dataDirectory: string
  settings?: Record<string, string>
  checkout?: string
  arch?: string
  account?: Account
  path?: string
}) {
  const { dataDirectory, settings, checkout, arch, account, path = process.env.PATH ?? '' } = options
  const embedded = checkout ? join(checkout, 'embedded-postgres') : launcherSource
  const script = join(checkout ?? here, 'run-launcher.ts')
  const node = checkout ? join(checkout, 'node') : process.execPath
  const child = spawn(node, [script, JSON.stringify({ embedded, dataDirectory, settings, arch })], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { PATH: path, HOME: dataDirectory, TMPDIR: tmpdir(), ...compileCache },
    ...account,
  })
  const messages: Message[] = []
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    messages.splice(0, messages.length, ...parse(output))
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const closed = once(child, 'close')
  onTestFinished(async () => {
    await end(child, closed, 'SIGTERM')
  })
  const waitForMessage = async <K extends Message['kind']>(kind: K) => {
    const found = await until(() => {
      const message = messages.find((candidate) => candidate.kind === kind)
      if (!message && child.exitCode !== null) throw new Error(`Muster ended without "${kind}": ${output}`)
      return message
      // A first start copies binaries and creates a database, which takes long on a busy machine.
    }, 60_000)
    return found.content as Extract<Message, { kind: K }>['content']
  }
  return {
    pid: child.pid ?? 0,
    messages,
    ready: () => waitForMessage('ready'),
    refused: () => waitForMessage('refused'),
    warned: () => waitForMessage('warning'),
    phases: () => messages.filter(({ kind }) => kind === 'phase').map(({ content }) => content),
    end: (signal: NodeJS.Signals) => end(child, closed, signal),
  }
}

function parse(output: string): Message[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{"kind"') ? [JSON.parse(line)] : []))
}

async function end(child: ChildProcess, closed: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await closed
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function postmasterPid(dataDirectory: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDirectory, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
}

/** The pids of PostgreSQL on this data directory, identified by their working directory. */
export async function serverProcesses(dataDirectory: string): Promise<number[]> {
  const cluster = join(dataDirectory, 'postgres/cluster')
  const cwds = await Promise.all(
    (await readdir('/proc')).map(async (pid) => [pid, await readlink(`/proc/${pid}/cwd`).catch(() => '')] as const),
  )
  return cwds.filter(([pid, cwd]) => /^\d+$/.test(pid) && cwd === cluster).map(([pid]) => Number(pid))
}

/** Kills all processes of the server. They also end by themselves once one of them is killed. */
export async function killServer(dataDirectory: string): Promise<void> {
  for (const pid of await serverProcesses(dataDirectory))
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/**
 * Repeats the check until it returns a value other than `false`, and throws after the time limit. What takes long is checked less
 * often, because many checks take processor time.
 */
export async function until<T>(
  check: () => T | false | undefined | Promise<T | false | undefined>,
  timeoutMs = 90_000,
  pauseMs = 20,
): Promise<T> {
  const start = Date.now()
  for (;;) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    const waitedMs = Date.now() - start
    if (waitedMs > timeoutMs) throw new Error(`The condition was not met within ${timeoutMs} ms.`)
    await sleep(Math.max(pauseMs, Math.min(waitedMs / 10, 100)))
  }
}

export async function untilNoServer(dataDirectory: string): Promise<void> {
  await until(async () => ((await serverProcesses(dataDirectory)).length === 0 ? true : undefined))
}

/** An unprivileged account of this machine. It needs a name, because initdb requires one. */
export function ordinaryAccount(): Account {
  return accountOf('daemon')
}

export function accountOf(name: string): Account {
  const found = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(found?.[1]), gid: Number(found?.[2]) }
}
