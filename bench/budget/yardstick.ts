import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../server/src/database/embedded-postgres/start-embedded-postgres.ts'
import { getPostmasterOfBackend, processorSecondsOf } from '../processor-time.ts'

/** Fixed so that the yardstick stays the same when the service chooses other settings. */
const settings = { shared_buffers: '128MB', max_connections: '20', autovacuum: 'off', synchronous_commit: 'off' }

const rows = 5_000
const rounds = 2_000

export type Yardstick = {
  /** Milliseconds of processor time of one round, for driver and database. */
  measure(): Promise<number>
  stop(): Promise<void>
}

/**
 * A fixed workload of plain SQL, in a database of its own. What it costs shows how fast this machine is just now, so the cost
 * of the service is given in its rounds.
 */
export async function openYardstick(): Promise<Yardstick> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-yardstick-'))
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings })
  const client = new pg.Client({ ...postgres.connection, ssl: false })
  await client.connect()
  const { rows: backends } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = await getPostmasterOfBackend(backends[0]?.pid)
  const usedMilliseconds = async () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e3 + (await processorSecondsOf(postmaster)) * 1e3
  }
  await client.query('create table samples (id integer primary key, name text not null, document jsonb not null)')
  await client.query('create index samples_name_idx on samples (name)')
  return {
    async measure() {
      await client.query('truncate samples')
      await client.query(
        `insert into samples select n, 'sample ' || n % 100, jsonb_build_object('number', n, 'text', repeat('x', 300))
         from generate_series(1, $1::integer) n`,
        [rows],
      )
      const before = await usedMilliseconds()
      for (let round = 0; round < rounds; round++) await runRound(client, round)
      return ((await usedMilliseconds()) - before) / rounds
    },
    async stop() {
      await client.end()
      await postgres.stop()
      await rm(dataDirectory, { recursive: true })
    },
  }
}

/** A read, a change and an aggregate, as parts of a transaction. */
async function runRound(client: pg.Client, round: number): Promise<void> {
  const id = 1 + ((round * 7_919) % rows)
  await client.query('begin')
  const { rows: found } = await client.query({
    name: 'read',
    text: 'select document from samples where id = $1',
    values: [id],
  })
  const document = JSON.stringify({ ...found[0].document, round })
  await client.query({ name: 'change', text: 'update samples set document = $2 where id = $1', values: [id, document] })
  await client.query({
    name: 'count',
    text: `select name, count(*), max(document ->> 'number') from samples where name = $1 group by name`,
    values: [`sample ${id % 100}`],
  })
  await client.query('commit')
}
