import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createBackup } from '../../../src/database/backup/create-backup.ts'
import type { Progress } from '../../../src/database/backup/progress.ts'
import type { ConnectedDatabase, Connection } from '../../../src/database/connect.ts'
import type { Program } from '../../../src/installation/files.ts'
import { compileCache } from '../../world/compile-cache.ts'
import { bundledProgram } from '../../world/programs.ts'
import { temporaryFolder } from '../embedded-postgres/muster.ts'

export type Environment = Record<string, string>
export type Outcome = { code: number | null; signal: NodeJS.Signals | null; output: string }

export type RunningCommand = {
  child: ChildProcess
  /** The output so far. */
  output(): string
  ended: Promise<Outcome>
}

type Options = { nodeArguments?: string[] }

/** Starts a program of the server in its own process, as an operator does. */
export function start(
  program: Program,
  args: string[],
  environment: Environment,
  options: Options = {},
): RunningCommand {
  const child = spawn(process.execPath, [...(options.nodeArguments ?? []), bundledProgram(program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...compileCache, ...environment },
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { child, output: () => output, ended }
}

export const startBackup = (file: string, environment: Environment, options?: Options) =>
  start('cli/backup', [file], environment, options)

export const startRestore = (file: string, environment: Environment, args: string[] = [], options?: Options) =>
  start('cli/restore', [file, ...args], environment, options)

/** Waits until the command has succeeded, and throws if it fails. Returns its output. */
export async function waitForSuccess({ ended }: RunningCommand): Promise<string> {
  const { code, output } = await ended
  if (code !== 0) throw new Error(`The command ended with ${code}: ${output}`)
  return output
}

/** The settings with which a command uses this database. */
export function databaseEnvironment({ connection }: { connection: Connection }): Environment {
  if ('connectionString' in connection) return { MUSTER_DATABASE_URL: connection.connectionString }
  const { host, port, user, database } = connection
  return { MUSTER_DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}` }
}

/** Does not print anything. */
export const silentProgress: Progress = { step() {}, bytes() {}, done() {} }

/** Writes a backup of the database without a process. */
export async function writeBackup({ pool }: Pick<ConnectedDatabase, 'pool'>, path: string): Promise<string> {
  await createBackup({ pool, path, progress: silentProgress, signal: new AbortController().signal })
  return path
}

/** Writes a backup of the database to a file of its own. */
export async function backupOf(database: Pick<ConnectedDatabase, 'pool'>): Promise<string> {
  return writeBackup(database, join(await temporaryFolder(), 'muster.backup'))
}
