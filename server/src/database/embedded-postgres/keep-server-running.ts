import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './launch-server.ts'

const firstDelay = 100
const longestDelay = 5_000
const settledAfter = 30_000

/** Starts the server again whenever it ends, until the abort; then stops it. Resolves when it is down. */
export async function keepServerRunning(options: {
  server: RunningServer
  relaunch(): Promise<RunningServer>
  abort: AbortSignal
  warn(message: string): void
}): Promise<void> {
  const { relaunch, abort, warn } = options
  const aborted = new Promise<undefined>((resolve) => {
    abort.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  let server: RunningServer | undefined = options.server
  let launchedAt = Date.now()
  let delay = 0
  for (;;) {
    const end: string | undefined = await Promise.race([server?.ended, aborted])
    if (abort.aborted) break
    if (server) warn(`PostgreSQL ended unexpectedly (${end}) and is started again.`)
    delay = Date.now() - launchedAt > settledAfter ? 0 : Math.min(Math.max(delay * 2, firstDelay), longestDelay)
    await sleep(delay, undefined, { signal: abort }).catch(() => undefined)
    if (abort.aborted) break
    launchedAt = Date.now()
    server = await relaunch().catch((error: unknown) => {
      if (!abort.aborted) warn(error instanceof Error ? error.message : String(error))
      return undefined
    })
  }
  await server?.stop()
}
