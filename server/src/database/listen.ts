import pg from 'pg'

type Logger = { warn(message: string): void; error(details: object, message: string): void }

const msBetweenAttempts = 1_000

/**
 * Runs the handler after each notification on the channel, with its payload, and after each new connection, without
 * one, because notifications are lost while there is none.
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
    handle(payload).catch((error: unknown) => logger.error({ err: error }, `Handling ${channel} failed.`))

  async function connect(): Promise<void> {
    const next = new pg.Client(pool.options)
    client = next
    next.on('error', () => {})
    next.on('notification', ({ payload }) => run(payload))
    next.on('end', retry)
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      await run()
    } catch {
      await next.end().catch(() => {})
      retry()
    }
  }

  function retry(): void {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void connect()
    }, msBetweenAttempts)
    timer.unref()
  }

  void connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
