import type pg from 'pg'

/** Takes a connection from the pool. When the server goes away, its current statement fails and the process continues. */
export async function checkOutClient(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect()
  client.on('error', () => undefined)
  return client
}
