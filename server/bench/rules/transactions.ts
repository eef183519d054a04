import pg from 'pg'

const sampleMs = 20

/** Watches the open transactions of the service that have changed something. `stop` returns the seconds of the one that took most time. */
export async function watchTransactions(databaseUrl: string): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let maxDuration = 0
  let isStopped = false
  const sampling = (async () => {
    while (!isStopped) {
      const { rows } = await client.query<{ seconds: number | null }>(`
        select extract(epoch from max(clock_timestamp() - xact_start))::float8 as seconds from pg_stat_activity
        where backend_xid is not null and application_name like 'muster longWork%'`)
      maxDuration = Math.max(maxDuration, rows[0]?.seconds ?? 0)
      await new Promise((resolve) => setTimeout(resolve, sampleMs))
    }
  })()
  return {
    async stop() {
      isStopped = true
      await sampling
      await client.end()
      return maxDuration
    },
  }
}
