import { openDatabaseForCommand } from '../../server/src/database/open-for-command.ts'
import { readConfiguration } from '../../server/src/platform/configuration.ts'
import type { Backdate } from './past.ts'

/** Runs statements in one transaction in the embedded database of the running service. */
export function backdateIn(dataDirectory: string): Backdate {
  return async (statements) => {
    const database = await openDatabaseForCommand(readConfiguration({ MUSTER_DATA_DIR: dataDirectory }))
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      for (const { text, values } of statements) await client.query(text, values)
      await client.query('commit')
    } finally {
      client.release(true)
      await database.close()
    }
  }
}
