import pg from 'pg'

/** Counts the statements that this process sends to the database during `run`. */
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
