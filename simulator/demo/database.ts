import type { ConnectedDatabase } from '../../server/src/database/connect.ts'
import { openDatabaseForCommand } from '../../server/src/database/open-for-command.ts'
import { recordFleetHistory } from '../../server/src/features/fleet-history/record-history.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { readConfiguration } from '../../server/src/platform/configuration.ts'
import { type Backdate, historyStatement, type Statement } from './past.ts'

/** Runs statements in the embedded database of the running service, and then makes up the history of the fleet. */
export function backdateIn(dataDirectory: string): Backdate {
  return async (statements) => {
    const database = await openDatabaseForCommand(readConfiguration({ MUSTER_DATA_DIR: dataDirectory }))
    try {
      await runTogether(database, statements)
      await makeUpHistory(database)
    } finally {
      await database.close()
    }
  }
}

async function runTogether({ pool }: ConnectedDatabase, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { text, values } of statements) await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

/** Samples the fleet as it is, unless the service is doing so, and writes what it may have been like before. */
export async function makeUpHistory({ db, pool }: ConnectedDatabase): Promise<void> {
  await refreshFleetStatistics(db)
  await recordFleetHistory(db)
  await pool.query(historyStatement.text, historyStatement.values)
}
