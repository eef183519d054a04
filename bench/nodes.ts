import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Node = {
  address: string
  pid: number
  /** Kills the process without warning, as in a power failure. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const service = join(import.meta.dirname, '../server/src/main.ts')

/** Starts the real service as a separate process, on an existing database or with the embedded one. */
export async function startNode(
  databaseUrl: string | undefined,
  settings: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
  program = service,
): Promise<Node> {
  const child = spawn(process.execPath, [...nodeOptions, program], {
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
  throw new Error('The node ended before it was ready.')
}
