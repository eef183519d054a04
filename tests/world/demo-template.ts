import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parsePublicKey } from '@muster/signing'
import { inject } from 'vitest'
import { type App, buildApp } from '../../server/src/app.ts'
import { type ConnectedDatabase, connect } from '../../server/src/database/connect.ts'
import { continuePatchRings } from '../../server/src/features/patch-policies/continue-rings.ts'
import { recordPatchCounts } from '../../server/src/features/patches/patch-counts.ts'
import { continueUnfinishedRollouts } from '../../server/src/features/rollouts/jobs/unfinished-rollouts.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { runJobs } from '../../server/test/packages/package-world.ts'
import { checkEveryAnswer } from '../../server/test/world/answer-check.ts'
import { collectSeenValues } from '../../server/test/world/answer-values.ts'
import { givenIn } from '../../server/test/world/given.ts'
import { madeOnce } from '../../server/test/world/made-once.ts'
import { testConfiguration } from '../../server/test/world/open-world.ts'
import { demoTemplateOf, onDatabase } from '../../server/test/world/template-database.ts'
import { writeDemoPast } from '../../server/tools/demo-past.ts'
import { apiOf } from '../../simulator/demo/api.ts'
import { demoScenario, makeDataSet } from '../../simulator/demo/data-set.ts'
import { ensureSigningKey, publicKeyFile } from '../../simulator/demo/signing.ts'
import { saveFleet } from '../../simulator/src/saved-fleet.ts'

export const demoComputers = 60

export const scenario = demoScenario({
  computers: demoComputers,
  work: { minimumSeconds: 0, maximumSeconds: 0.05, brokenPackages: ['Time Tracker'] },
  duplicates: { clones: 0.02 },
  shares: { silent: 0.05, suspended: 0.15, rebootRequired: 0.08, withoutInventory: 0.03 },
})

/** What a copy of the data set needs besides its database and its package store. */
export type DemoRecord = {
  /** The principal with all roles that has made the data set. */
  principalId: number
  depotCredential: string
  /** What the answers to the simulated computers, and to the demo itself, contained. */
  seen: string[]
}

export type DemoTemplate = DemoRecord & { database: string; store: string; signingKey: string; fleetFile: string }

/** The data set of the demo, which the whole run makes once. Each test file copies it. */
export async function demoTemplate(): Promise<DemoTemplate> {
  const database = demoTemplateOf(inject('template'))
  const folder = await madeOnce('demo', (unfinished) => makeDemo(unfinished, database))
  const record = JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')) as DemoRecord
  return { ...record, database, ...filesIn(folder) }
}

const filesIn = (folder: string) => ({
  store: join(folder, 'store'),
  signingKey: join(folder, 'signing.key'),
  fleetFile: join(folder, 'fleet.json'),
})

export const readTrustedKeys = async (signingKey: string) => [
  parsePublicKey(await readFile(publicKeyFile(signingKey), 'utf8')),
]

async function makeDemo(folder: string, name: string): Promise<void> {
  const { store, signingKey } = filesIn(folder)
  await ensureSigningKey(signingKey)
  const database = await createTemplate(name)
  const configuration = { ...testConfiguration(), packageStore: store, trustedKeys: await readTrustedKeys(signingKey) }
  const app = await buildApp({ database, configuration })
  checkEveryAnswer(app.http)
  const jobs = await runJobs(app, database)
  try {
    await fill(app, database, folder)
  } finally {
    await jobs.stop()
    await app.http.close()
    // A database that is in use cannot be copied.
    await database.close()
  }
}

async function createTemplate(name: string): Promise<ConnectedDatabase> {
  const maintenance = connect(inject('postgres'), { size: 1 })
  await maintenance.pool.query(`drop database if exists ${name}`)
  await maintenance.pool.query(`create database ${name} template ${inject('template')} strategy file_copy`)
  await maintenance.close()
  return connect(onDatabase(inject('postgres'), name))
}

async function fill(app: App, database: ConnectedDatabase, folder: string): Promise<void> {
  const { store, signingKey, fleetFile } = filesIn(folder)
  const seen = collectSeenValues(app.http)
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { id: principalId } = await givenIn(database.db, app).localPrincipal({ roles: roleNames })
  const { simulation, depot, depotCredential } = await makeDataSet({
    address,
    api: apiOf(address, await app.services.tokens.issue(principalId)),
    store,
    signingKey,
    scenario,
    writePast: (past) => writeDemoPast(database, past),
  })
  depot.stop()
  await simulation.stop()
  await continueUnfinishedRollouts(database.db)
  await database.db.transaction().execute(recordPatchCounts)
  await continuePatchRings(database.db)
  saveFleet(fleetFile, scenario, simulation.fleet, simulation.startedAt)
  const record: DemoRecord = { principalId, depotCredential, seen: [...seen] }
  await writeFile(join(folder, 'record.json'), JSON.stringify(record))
}
