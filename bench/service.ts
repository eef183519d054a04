import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { type App, buildApp } from '../server/src/app.ts'
import type { Database } from '../server/src/database/connect.ts'
import { migrate } from '../server/src/database/migrations/migrate.ts'
import { type OpenedDatabase, openDatabase } from '../server/src/database/open-database.ts'
import { insertLocalPrincipal } from '../server/src/features/principals/principals.ts'
import { readConfiguration } from '../server/src/platform/configuration.ts'
import { roleNames } from '../server/src/platform/roles.ts'

export type BenchService = {
  app: App
  database: OpenedDatabase
  /** A principal with all roles. */
  principalId: number
  headers: { authorization: string }
  /** Where the service listens. */
  address: string
}

/** Runs the service on a new database with default settings, and removes both afterwards. `postgres` adds settings. */
export async function withService(
  run: (service: BenchService) => Promise<void>,
  environment: Record<string, string> = {},
  postgres: Record<string, string> = {},
): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    await withServiceIn(dataDirectory, run, environment, postgres)
  } finally {
    await rm(dataDirectory, { recursive: true })
  }
}

/** Times in a fleet are relative to when it was built, so an older fleet is built again. */
const maxFleetAgeHours = 12

/**
 * The same with a fleet, which `grow` builds with statements that may take long. If `MUSTER_BENCH_DATA` names a folder, the
 * fleet stays there for later runs.
 */
export async function withFleet(
  name: string,
  grow: (db: Database) => Promise<void>,
  run: (service: BenchService) => Promise<void>,
): Promise<void> {
  const folder = process.env.MUSTER_BENCH_DATA
  if (!folder)
    return withService(async (service) => {
      await grow(service.database.lanes.longWork.db)
      await run(service)
    })
  const dataDirectory = resolve(folder, name)
  const markerFile = join(dataDirectory, 'is-grown')
  const grownAt = await stat(markerFile).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  const isReusable = grownAt > Date.now() - maxFleetAgeHours * 3_600_000
  if (!isReusable) await rm(dataDirectory, { recursive: true, force: true })
  await mkdir(dataDirectory, { recursive: true })
  await withServiceIn(dataDirectory, async (service) => {
    if (!isReusable) {
      await grow(service.database.lanes.longWork.db)
      await writeFile(markerFile, '')
    }
    await run(service)
  })
}

async function withServiceIn(
  dataDirectory: string,
  run: (service: BenchService) => Promise<void>,
  environment: Record<string, string> = {},
  postgres: Record<string, string> = {},
): Promise<void> {
  await chmod(dataDirectory, 0o711)
  const configuration = readConfiguration({ ...environment, MUSTER_DATA_DIR: dataDirectory })
  const database = await openDatabase(configuration, {
    settings: { shared_preload_libraries: 'pg_stat_statements', ...postgres },
  })
  try {
    await migrate(database.pool)
    const app = await buildApp({ database, configuration, logger: pino(pino.destination('/dev/null')) })
    const { principalId, headers } = await insertCaller(database.db, app)
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
    await run({ app, database, principalId, headers, address })
    await app.http.close()
  } finally {
    await database.close()
  }
}

/** A principal with all roles, and the headers with which it calls. */
export async function insertCaller(
  db: Database,
  { services }: App,
): Promise<Pick<BenchService, 'principalId' | 'headers'>> {
  const principalId = await insertLocalPrincipal(db, services.keys, {
    clientId: `bench-${randomUUID()}`,
    secret: 'bench',
    description: 'Caller of the benchmarks',
    roles: roleNames,
    expiresAt: null,
  })
  return { principalId, headers: { authorization: `Bearer ${await services.tokens.issue(principalId)}` } }
}
