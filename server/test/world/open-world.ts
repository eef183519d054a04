import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { afterAll } from 'vitest'
import { type App, type AppOptions, buildApp } from '../../src/app.ts'
import type { Database } from '../../src/database/connect.ts'
import { type Configuration, readConfiguration } from '../../src/platform/configuration.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { Role } from '../../src/platform/roles.ts'
import { checkEveryAnswer } from './answer-check.ts'
import { type Caller, caller } from './caller.ts'
import { type Given, givenIn } from './given.ts'
import { expectJustifiedWork } from './justified-check.ts'
import { reuseDatabase } from './reused-database.ts'
import { copyOfTemplate, type TestDatabase } from './test-database.ts'

export type World = {
  app: App
  db: Database
  database: TestDatabase
  given: Given
  /** Calls with the token of a principal that has exactly these roles. */
  as(...roles: Role[]): Caller
  /** Calls with the given token, or without one. */
  withToken(token: string | undefined): Caller
}

export type WorldOptions = {
  operations?: readonly AnyOperation[]
  configuration?: Partial<Configuration>
  /** Who takes the lines of the log and the spans; nobody by default. */
  observers?: Pick<AppOptions, 'logger' | 'tracing'>
  /** The database to copy; an empty one unless given. */
  template?: string
  /** Whether the test needs a database of its own, because it looks at plans, or at more than the rows of its tables. */
  hasOwnDatabase?: boolean
}

/** As in production, but without limits for how often programs sign in and enrol. */
export const testConfiguration = () =>
  readConfiguration({ MUSTER_TOKEN_RATE_LIMIT: '0', MUSTER_ENROLMENT_RATE_LIMIT: '0' })

/** Tests that need a package store pass one. No test writes into that of the checkout. */
const unusedStore = join(tmpdir(), `muster-of-${process.pid}-${threadId}`, 'packages')

/** Opens the service on its own database. Everything that the test does not specify is as in production. */
export async function openWorld({
  operations,
  configuration = {},
  observers = {},
  template,
  hasOwnDatabase = template !== undefined,
}: WorldOptions = {}): Promise<World> {
  const database = (hasOwnDatabase ? undefined : await reuseDatabase()) ?? (await copyOfTemplate(template))
  const app = await buildApp({
    database,
    configuration: { ...testConfiguration(), packageStore: unusedStore, ...configuration },
    ...observers,
    ...(operations && { operations }),
  })
  // Operations that a test declares itself may misbehave on purpose.
  if (!operations) checkEveryAnswer(app.http)
  afterAll(async () => {
    if (!operations) await expectJustifiedWork(database.db)
    await app.http.close()
    await rm(dirname(unusedStore), { recursive: true, force: true })
  })
  const given = givenIn(database.db, app)
  // The last administrator cannot be deleted, so tests that delete one need another.
  await given.localPrincipal({ roles: ['admin.manage'] })

  const tokens = new Map<string, Promise<string>>()
  const tokenFor = (roles: readonly Role[]): Promise<string> => {
    const key = roles.join()
    const known = tokens.get(key) ?? given.localPrincipal({ roles }).then(({ id }) => app.services.tokens.issue(id))
    tokens.set(key, known)
    return known
  }

  return {
    app,
    db: database.db,
    database,
    given,
    withToken: (token) => caller(app, token),
    as: (...roles) => ({
      call: async (operation, input) => caller(app, await tokenFor(roles)).call(operation, input),
      send: async (request) => caller(app, await tokenFor(roles)).send(request),
    }),
  }
}
