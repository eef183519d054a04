import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '../src/expected-error.ts'

export type Administrator = { clientId: string; clientSecret: string }

export type DemoService = {
  address: string
  /** Resolves when the service has ended. */
  ended: Promise<void>
  logFile: string
  stop(): Promise<void>
}

type ServiceOptions = {
  dataDirectory: string
  port: number
  administrator: Administrator
  /** The file of the public key whose signatures the service trusts. */
  trustedKeys?: string
}

const repository = join(import.meta.dirname, '../..')

/** A program of the bundle of the service. `npm run demo` builds the bundle if the sources are newer. */
export const serverProgram = (name: string) => join(repository, 'server/dist', `${name}.js`)

const startTimeoutMs = 300_000

/** Starts the service as a separate process, in development mode with the embedded database. */
export async function startService({
  dataDirectory,
  port,
  administrator,
  trustedKeys,
}: ServiceOptions): Promise<DemoService> {
  const child = spawn(process.execPath, [serverProgram('main')], {
    // Ctrl-C must not reach the service: the computers stop first.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/node'),
      ...environmentWithoutSettings(),
      MUSTER_MODE: 'development',
      MUSTER_DATA_DIR: dataDirectory,
      MUSTER_PORT: String(port),
      MUSTER_BOOTSTRAP_CLIENT_ID: administrator.clientId,
      MUSTER_BOOTSTRAP_CLIENT_SECRET: administrator.clientSecret,
      MUSTER_TOKEN_LIFETIME: '86400',
      ...(trustedKeys && { MUSTER_TRUSTED_KEYS: trustedKeys }),
      MUSTER_ENROLMENT_RATE_LIMIT: '0',
      MUSTER_LOG_LEVEL: 'warn',
      // A crash may lose the last second of the demo. In return, it starts twice as fast.
      PGOPTIONS: '-c synchronous_commit=off',
    },
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const logFile = join(dataDirectory, 'service.log')
    return {
      address: await waitForAddress(child, logFile),
      logFile,
      ended: exited,
      async stop() {
        child.kill('SIGTERM')
        await exited
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw error
  }
}

/** Leaves out the settings of other Muster services on this machine. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MUSTER_')))
}

/** Returns the address once the service listens. Writes the output of the service to a file. */
function waitForAddress(child: ChildProcess, logFile: string): Promise<string> {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  let output = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ExpectedError(`The service did not become ready in time:\n${output}`)),
      startTimeoutMs,
    )
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        log.write(chunk)
        if (output.length < 100_000) output += chunk
        const [, address] = /^Ready after .*, listening on (\S+)/m.exec(output) ?? []
        if (!address) return
        clearTimeout(timer)
        resolve(address)
      })
    child.once('close', () => {
      clearTimeout(timer)
      log.end()
      reject(new ExpectedError(`The service did not start:\n${output}`))
    })
  })
}
