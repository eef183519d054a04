import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../src/database/connect.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '../src/database/migrations/migrate.ts'
import { writeTableTypes } from './table-types.ts'

// Applies the migrations to an empty database and writes the types of its tables to src/database/tables.ts.
const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-types-'))
const postgres = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } })
const database = connect(postgres.connection)
try {
  await migrate(database.pool)
  console.log(
    (await writeTableTypes(database.db)) ? 'The table types were written.' : 'The table types are up to date.',
  )
} finally {
  await database.close()
  await postgres.stop()
  await rm(dataDirectory, { recursive: true })
}
