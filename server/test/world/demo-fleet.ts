import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { apiOf, until } from '../../../simulator/demo/api.ts'
import { demoScenario, makeDataSet } from '../../../simulator/demo/data-set.ts'
import { makeUpHistory } from '../../../simulator/demo/database.ts'
import { ensureSigningKey, publicKeyFile } from '../../../simulator/demo/signing.ts'
import { continueUnfinishedRollouts } from '../../src/features/rollouts/jobs/continue-rollouts.ts'
import { parsePublicKey } from '../../src/platform/minisign/public-key.ts'
import { roleNames } from '../../src/platform/roles.ts'
import type { TourOptions } from '../demo/tour.ts'
import { openPackageWorld } from '../packages/package-world.ts'
import { collectSeenValues } from './answer-values.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

/** The service with a small data set of the demo. Its computers no longer run, but everything they reported is stored. */
export async function openDemoFleet(computers = 60, tour: (options: TourOptions) => Promise<void> = async () => {}) {
  const keyFolder = await openTemporaryFolder()
  const signingKey = join(keyFolder, 'signing.key')
  await ensureSigningKey(signingKey)
  afterAll(() => rm(keyFolder, { recursive: true }))
  const trustedKeys = [parsePublicKey(await readFile(publicKeyFile(signingKey), 'utf8'))]
  const world = await openPackageWorld({ trustedKeys })
  const { app, database, given, store } = world
  const seen = collectSeenValues(app.http)
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { id } = await given.localPrincipal({ roles: roleNames })
  const api = apiOf(address, await app.services.tokens.issue(id))
  const { simulation, depot, depotCredential } = await makeDataSet({
    address,
    api,
    store,
    signingKey,
    scenario: demoScenario({
      computers,
      work: { minimumSeconds: 0, maximumSeconds: 0.05, brokenPackages: ['Time Tracker'] },
      duplicates: { clones: 0.02 },
      shares: { silent: 0.05, suspended: 0.15, rebootRequired: 0.08, withoutInventory: 0.03 },
    }),
    async backdate(statements) {
      for (const { text, values } of statements) await database.pool.query(text, values)
      await makeUpHistory(database)
    },
  })
  await continueUnfinishedRollouts(database.db)
  const stop = async () => {
    depot.stop()
    await simulation.stop()
  }
  afterAll(stop)
  const wake = () => simulation.wake(Array(computers).keys().toArray())
  /** Until the rollout of the package that fails everywhere has paused itself. */
  const settleRollouts = async () => {
    wake()
    await until(async () => {
      await continueUnfinishedRollouts(database.db)
      const { items } = await api.get<{ items: { state: string }[] }>('/api/rollouts')
      return items.some(({ state }) => state === 'Paused') || undefined
    }, 'a rollout that pauses itself')
  }
  await tour({ api, address, depotCredential, seen, wake, settleRollouts })
  await stop()
  return { ...world, address, fleet: simulation.fleet, seen }
}
