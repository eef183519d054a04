import { json } from 'node:stream/consumers'
import { openDatabaseForCommand } from '../src/database/open-for-command.ts'
import { readConfiguration } from '../src/platform/configuration.ts'
import { type DemoPast, writeDemoPast } from './demo-past.ts'

// Run by `npm run demo`, with MUSTER_DATA_DIR: writes the past that the standard input describes into the database of the
// running service.
const database = await openDatabaseForCommand(readConfiguration(process.env))
try {
  await writeDemoPast(database, (await json(process.stdin)) as DemoPast)
} finally {
  await database.close()
}
