import { afterAll } from 'vitest'
import { apiOf } from '../../../simulator/demo/api.ts'
import { demoScenario, makeDataSet } from '../../../simulator/demo/data-set.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { openPackageWorld } from '../packages/package-world.ts'

/** The service with a small data set of the demo. Its computers no longer run, but everything they reported is stored. */
export async function openDemoFleet(computers = 60) {
  const world = await openPackageWorld()
  const { app, database, given, store } = world
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { id } = await given.localPrincipal({ roles: roleNames })
  const { simulation, depot } = await makeDataSet({
    address,
    api: apiOf(address, await app.services.tokens.issue(id)),
    store,
    scenario: demoScenario({
      computers,
      work: { minimumSeconds: 0, maximumSeconds: 0.05, brokenPackages: ['Time Tracker'] },
      duplicates: { clones: 0.02 },
    }),
    async backdate(statements) {
      for (const { text, values } of statements) await database.pool.query(text, values)
    },
  })
  const stop = async () => {
    depot.stop()
    await simulation.stop()
  }
  afterAll(stop)
  await stop()
  return { ...world, fleet: simulation.fleet }
}
