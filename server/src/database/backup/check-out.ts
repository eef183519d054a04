import type pg from 'pg'

/** A session of its own. When the server goes away, the statement under way fails, and no event ends the process. */
export async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect()
  client.on('error', () => undefined)
  return client
}
