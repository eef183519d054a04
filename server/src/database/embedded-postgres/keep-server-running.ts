import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './launch-server.ts'

const minDelayMs = 100
const maxDelayMs = 5_000
/** A server that ran for this long is restarted without a delay. */
const stableAfterMs = 30_000

/** Restarts the server whenever it ends. Stops it on abort, and resolves once it has stopped. */
export async function keepServerRunning(options: {
  server: RunningServer
  relaunch(): Promise<RunningServer>
  abort: AbortSignal
  /** How long the server may take to end after the abort. */
  graceMs(): number | undefined
  warn(message: string): void
}): Promise<void> {
  const { relaunch, abort, graceMs, warn } = options
  const aborted = new Promise<undefined>((resolve) => {
    abort.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  let server: RunningServer | undefined = options.server
  let launchedAt = Date.now()
  let delay = 0
  for (;;) {
    const end: string | undefined = await Promise.race([server?.ended, aborted])
    if (abort.aborted) break
    if (server) warn(`PostgreSQL ended unexpectedly (${end}). It is being restarted.`)
    delay = Date.now() - launchedAt > stableAfterMs ? 0 : Math.min(Math.max(delay * 2, minDelayMs), maxDelayMs)
    await sleep(delay, undefined, { signal: abort }).catch(() => undefined)
    if (abort.aborted) break
    launchedAt = Date.now()
    server = await relaunch().catch((error: unknown) => {
      if (!abort.aborted) warn(error instanceof Error ? error.message : String(error))
      return undefined
    })
  }
  await server?.stop(graceMs())
}
