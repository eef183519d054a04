import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../../src/database/connect.ts'
import { compileCache } from '../../world/compile-cache.ts'

const source = join(import.meta.dirname, '../../../src')

export type Environment = Record<string, string>
export type Outcome = { code: number | null; signal: NodeJS.Signals | null; told: string }

export type RunningCommand = {
  child: ChildProcess
  /** What it has printed so far. */
  output(): string
  ended: Promise<Outcome>
}

type Options = { nodeArguments?: string[] }

/** Starts a program of the server as an operator does, in a process of its own. */
export function start(script: string, args: string[], environment: Environment, options: Options = {}): RunningCommand {
  const child = spawn(process.execPath, [...(options.nodeArguments ?? []), join(source, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...compileCache, ...environment },
  })
  let told = ''
  const collect = (chunk: Buffer) => {
    told += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, told }))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { child, output: () => told, ended }
}

export const startBackup = (file: string, environment: Environment, options?: Options) =>
  start('cli/backup.ts', [file], environment, options)

export const startRestore = (file: string, environment: Environment, args: string[] = [], options?: Options) =>
  start('cli/restore.ts', [file, ...args], environment, options)

/** For what has to go well before the test can begin, or must. */
export async function succeeded({ ended }: RunningCommand): Promise<string> {
  const { code, told } = await ended
  if (code !== 0) throw new Error(`The command ended with ${code}: ${told}`)
  return told
}

export function onDatabaseOf({ connection }: { connection: Connection }): Environment {
  if ('connectionString' in connection) return { MUSTER_DATABASE_URL: connection.connectionString }
  const { host, port, user, database } = connection
  return { MUSTER_DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}` }
}
