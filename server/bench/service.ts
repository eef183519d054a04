import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type App, buildApp } from '../src/app.ts'
import type { ConnectedDatabase } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { insertLocalPrincipal } from '../src/domain/principals.ts'
import { readConfiguration } from '../src/platform/configuration.ts'
import { roleNames } from '../src/platform/roles.ts'

export type BenchService = {
  app: App
  database: ConnectedDatabase
  /** A principal that has every role. */
  principalId: number
  headers: { authorization: string }
  /** Where the service listens. */
  address: string
}

/** Runs the service on a database of its own, as it is installed, and removes both afterwards. */
export async function withService(
  run: (service: BenchService) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  await chmod(dataDirectory, 0o711)
  const configuration = readConfiguration({ ...environment, MUSTER_DATA_DIR: dataDirectory })
  const database = await openDatabase(configuration)
  try {
    await migrate(database.pool)
    const app = await buildApp({ database, configuration, logger: pino(pino.destination('/dev/null')) })
    const principalId = await insertLocalPrincipal(database.db, app.services.keys, {
      clientId: 'bench',
      secret: 'bench',
      description: 'Does what is measured',
      roles: roleNames,
      expiresAt: null,
    })
    const headers = { authorization: `Bearer ${await app.services.tokens.issue(principalId)}` }
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
    await run({ app, database, principalId, headers, address })
    await app.http.close()
  } finally {
    await database.close()
    await rm(dataDirectory, { recursive: true })
  }
}
