import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administrator } from '../../world/administrator.ts'
import { compileCache } from '../../world/compile-cache.ts'
import { bundledProgram } from '../../world/programs.ts'

const repository = join(import.meta.dirname, '../../../..')

export type ServiceSettings = {
  env: Record<string, string>
  /** The limit of open files, which the service cannot raise. */
  maxOpenFiles?: number
}

export type Service = {
  address: string
  pid: number
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Sends the signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
  hasEnded(): boolean
}

/** Starts the service as an operator does, and waits until it listens. */
export async function startService({ env, maxOpenFiles }: ServiceSettings): Promise<Service> {
  const child = spawnService(env, maxOpenFiles)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const address = await untilListening(() => output, hasEnded)
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return {
    address,
    pid: child.pid ?? 0,
    output: () => output,
    signal,
    async end(name) {
      signal(name)
      await exited
    },
    hasEnded,
  }
}

function spawnService(env: Record<string, string>, maxOpenFiles: number | undefined): ChildProcess {
  const command = [process.execPath, bundledProgram('main')]
  const limited = ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$@"`, ...command]
  const [program = '', ...args] = maxOpenFiles ? limited : command
  return spawn(program, args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [dirname(process.execPath), process.env.PATH].join(':'),
      HOME: process.env.HOME ?? tmpdir(),
      TMPDIR: tmpdir(),
      ...compileCache,
      MUSTER_PORT: '0',
      MUSTER_LOG_LEVEL: 'warn',
      MUSTER_TOKEN_RATE_LIMIT: '0',
      MUSTER_ENROLMENT_RATE_LIMIT: '0',
      MUSTER_BOOTSTRAP_CLIENT_ID: administrator.clientId,
      MUSTER_BOOTSTRAP_CLIENT_SECRET: administrator.clientSecret,
      ...env,
    },
  })
}

async function untilListening(output: () => string, hasEnded: () => boolean): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
    const [, address] = /^Ready after .*, listening on (\S+)/m.exec(output()) ?? []
    if (address) return address
    if (hasEnded()) break
  }
  throw new Error(`The service did not start:\n${output()}`)
}
