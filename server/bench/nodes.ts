import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Node = {
  address: string
  pid: number
  /** Without a warning, as when the machine loses its power. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const service = join(import.meta.dirname, '../src/main.ts')

/** Starts the real service as a process of its own on a database that is there, with options of Node if any are given. */
export async function startNode(
  databaseUrl: string,
  settings: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<Node> {
  const child = spawn(process.execPath, [...nodeOptions, service], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      MUSTER_DATABASE_URL: databaseUrl,
      MUSTER_PORT: '0',
      MUSTER_LOG_LEVEL: 'error',
      MUSTER_TOKEN_RATE_LIMIT: '0',
      ...settings,
    },
  })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  for await (const line of createInterface(child.stdout)) {
    const [, address] = /^Ready after .*, listening on (\S+)/.exec(line) ?? []
    if (!address) continue
    child.stdout.resume()
    return { address, pid: child.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
  }
  throw new Error('A node ended before it was ready.')
}
