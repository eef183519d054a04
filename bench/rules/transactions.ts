import pg from 'pg'

const sampleMs = 20
const maxShownText = 120

/** A duration in milliseconds, and the statement that ran when the transaction was seen for the last time. */
type MaxTransaction = { maxDuration: number; statement: string }

/**
 * Watches the open transactions of the service that have changed something. `stop` returns the one that took most time.
 */
export async function watchTransactions(databaseUrl: string): Promise<{ stop(): Promise<MaxTransaction> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let max: MaxTransaction = { maxDuration: 0, statement: '' }
  let isStopped = false
  const sampling = (async () => {
    while (!isStopped) {
      const { rows } = await client.query<MaxTransaction>(`
        select 1000 * extract(epoch from clock_timestamp() - xact_start)::float8 as "maxDuration", query as statement
        from pg_stat_activity where backend_xid is not null and application_name like 'muster longWork%'
        order by xact_start limit 1`)
      const [oldest] = rows
      if (oldest && oldest.maxDuration > max.maxDuration) max = oldest
      await new Promise((resolve) => setTimeout(resolve, sampleMs))
    }
  })()
  return {
    async stop() {
      isStopped = true
      await sampling
      await client.end()
      return { ...max, statement: max.statement.replaceAll(/\s+/g, ' ').trim().slice(0, maxShownText) }
    },
  }
}
