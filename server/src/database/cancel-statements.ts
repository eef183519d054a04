import pg from 'pg'

const timeout = 1_000

/**
 * Cancels every statement of the connections whose application name ends with the name of this process. A connection
 * pooler between Muster and PostgreSQL keeps that name, but not the process ids.
 */
export async function cancelStatements(options: pg.ClientConfig, processName: string): Promise<void> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: timeout, query_timeout: timeout })
  // If the database does not answer, there is nothing to cancel: the caller closes the connections anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where application_name like 'muster %' || $1 and state <> 'idle' and pid <> pg_backend_pid()
         and usename = current_user and datname = current_database()`,
      [processName],
    )
  } catch {
  } finally {
    void client.end().catch(() => {})
  }
}
