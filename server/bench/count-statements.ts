import pg from 'pg'

/** Counts what this process sends to the database meanwhile. */
export async function countStatements(run: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
    count++
    return Reflect.apply(query, this, parts)
  } as typeof query
  try {
    await run()
    return count
  } finally {
    pg.Client.prototype.query = query
  }
}
