import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const millisecondsBetweenLooks = 100

export type Wait = { state: string; 'waits for': string; 'backends on average': number }

/** Looks again and again what the busy backends of the database wait for, on a connection of its own. */
export async function startWaits(databaseUrl: string): Promise<{ stop(): Promise<Wait[]> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const ended = new AbortController()
  const counting = count(client, ended.signal)
  return {
    async stop() {
      ended.abort()
      const { looks, seen } = await counting
      await client.end()
      return [...seen]
        .map(([key, times]) => {
          const [state = '', event = ''] = key.split('\n')
          return { state, 'waits for': event, 'backends on average': Math.round((100 * times) / looks) / 100 }
        })
        .toSorted((a, b) => b['backends on average'] - a['backends on average'])
    },
  }
}

async function count(client: pg.Client, signal: AbortSignal) {
  const seen = new Map<string, number>()
  let looks = 0
  while (!signal.aborted) {
    const { rows } = await client.query<{ key: string }>(`
      select state || E'\\n' || coalesce(wait_event_type || ': ' || wait_event, 'nothing, it works') as key
      from pg_stat_activity
      where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`)
    for (const { key } of rows) seen.set(key, (seen.get(key) ?? 0) + 1)
    looks++
    await sleep(millisecondsBetweenLooks, undefined, { signal }).catch(() => undefined)
  }
  return { looks, seen }
}
