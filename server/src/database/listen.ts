import pg from 'pg'
import { destroySocket, type Statement } from './lane-connections.ts'

type Logger = { warn(message: string): void; error(details: object, message: string): void }

const reconnectDelayMs = 1_000
/** Nothing is sent on this connection, so only a probe reveals that it has fallen silent. */
const probeIntervalMs = 5_000
const probe: Statement = { text: 'select 1', query_timeout: 3_000 }

/**
 * Runs the handler for each notification on the channel, with its payload. Also runs it after each (re)connection,
 * without a payload, because notifications are lost while there is no connection.
 */
export function listenTo(
  pool: pg.Pool,
  channel: string,
  handle: (payload?: string) => Promise<void>,
  logger: Logger,
): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const run = (payload?: string) =>
    handle(payload).catch((error: unknown) =>
      logger.error({ err: error }, `The handler of the notification channel ${channel} failed.`),
    )

  async function connect(): Promise<void> {
    const next = new pg.Client(pool.options)
    client = next
    next.on('error', () => {})
    next.on('notification', ({ payload }) => run(payload))
    next.on('end', retry)
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      probeRegularly(next)
      await run()
    } catch {
      destroySocket(next)
      retry()
    }
  }

  function probeRegularly(current: pg.Client): void {
    const timer = setInterval(() => {
      // This emits 'end'.
      current.query(probe).catch(() => destroySocket(current))
    }, probeIntervalMs)
    timer.unref()
    current.on('end', () => clearInterval(timer))
  }

  function retry(): void {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void connect()
    }, reconnectDelayMs)
    timer.unref()
  }

  void connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      if (client) destroySocket(client)
    },
  }
}
