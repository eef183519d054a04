import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const millisecondsBetweenSamples = 100

export type Wait = { state: string; 'waits for': string; 'backends on average': number }

/** Samples what the busy backends of the database wait for, on a separate connection. */
export async function startWaitSampling(databaseUrl: string): Promise<{ stop(): Promise<Wait[]> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const ended = new AbortController()
  const counting = sampleWaits(client, ended.signal)
  return {
    async stop() {
      ended.abort()
      const { samples, seen } = await counting
      await client.end()
      return [...seen]
        .map(([key, times]) => {
          const [state = '', event = ''] = key.split('\n')
          return { state, 'waits for': event, 'backends on average': Math.round((100 * times) / samples) / 100 }
        })
        .toSorted((a, b) => b['backends on average'] - a['backends on average'])
    },
  }
}

async function sampleWaits(client: pg.Client, signal: AbortSignal) {
  const seen = new Map<string, number>()
  let samples = 0
  while (!signal.aborted) {
    const { rows } = await client.query<{ key: string }>(`
      select state || E'\\n' || coalesce(wait_event_type || ': ' || wait_event, 'nothing, it is running') as key
      from pg_stat_activity
      where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`)
    for (const { key } of rows) seen.set(key, (seen.get(key) ?? 0) + 1)
    samples++
    await sleep(millisecondsBetweenSamples, undefined, { signal }).catch(() => undefined)
  }
  return { samples, seen }
}
