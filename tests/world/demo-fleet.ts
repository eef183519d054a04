import { cp } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { continueUnfinishedRollouts } from '../../server/src/features/rollouts/jobs/unfinished-rollouts.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { collectSeenValues } from '../../server/test/world/answer-values.ts'
import type { World } from '../../server/test/world/open-world.ts'
import { apiOf, until } from '../../simulator/demo/api.ts'
import { runDepot } from '../../simulator/demo/depots.ts'
import { at, kinds } from '../../simulator/src/fleet.ts'
import { findSavedFleet } from '../../simulator/src/saved-fleet.ts'
import { simulate } from '../../simulator/src/simulation.ts'
import { keepsConnection } from '../../simulator/src/traits.ts'
import { openWakeConnections } from '../../simulator/src/wake-connections.ts'
import type { TourOptions } from '../demo/tour.ts'
import { type DemoTemplate, demoComputers, demoTemplate, readTrustedKeys, scenario } from './demo-template.ts'

/**
 * The service with a small data set of the demo. Its computers make no contacts any more, but everything they reported is stored, and
 * most of them are connected. During the tour, they run again.
 */
export async function openDemoFleet(tour?: (options: TourOptions) => Promise<void>) {
  const template = await demoTemplate()
  const trustedKeys = await readTrustedKeys(template.signingKey)
  const world = await openPackageWorld({ trustedKeys, signInRateLimit: 0 }, template.database)
  await cp(template.store, world.store, { recursive: true })
  const saved = findSavedFleet(template.fleetFile, scenario)
  if (!saved) throw new Error('The data set of the demo has no computers.')
  const seen = collectSeenValues(world.app.http, template.seen)
  const address = await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  const continued = { ...world, template, saved, seen, address }
  if (tour) await runTour(tour, continued)
  await connectComputers(continued)
  return { ...world, address, fleet: saved.fleet, seen }
}

type Continued = World & {
  template: DemoTemplate
  saved: NonNullable<ReturnType<typeof findSavedFleet>>
  seen: ReadonlySet<string>
  address: string
}

/** Connects the agents that keep a connection, except for one in ten, which has lost it lately. */
async function connectComputers({ db, saved: { fleet }, address }: Continued): Promise<void> {
  const connections = openWakeConnections({ server: address, firstNumber: 0, onCall() {} })
  afterAll(connections.close)
  // The tour has deleted some.
  const agents = new Set((await db.selectFrom('agents').select('computer_id').execute()).map((row) => row.computer_id))
  const connected = Array(fleet.size)
    .keys()
    .filter((computer) => at(fleet.kind, computer) === kinds.plain && agents.has(at(fleet.clientId, computer)))
    .filter((computer) => keepsConnection(scenario, at(fleet.number, computer)))
    .filter((_, place) => place % 10 > 0)
    .toArray()
  for (const computer of connected) connections.ensure(computer, fleet.credential[computer] ?? '')
  await until(async () => {
    const rows = await db.selectFrom('connected_computers').select('computer_id').execute()
    return rows.length === connected.length || undefined
  }, 'the wake connections of the computers')
}

async function runTour(
  tour: (options: TourOptions) => Promise<void>,
  { app, database, template, saved, seen, address }: Continued,
): Promise<void> {
  const { depotCredential, principalId } = template
  const api = apiOf(address, await app.services.tokens.issue(principalId))
  const depot = await runDepot(address, depotCredential)
  const simulation = simulate({ scenario, server: address, tokenOf: () => '', saved })
  const wake = () => simulation.wake(Array(demoComputers).keys().toArray())
  /** Until the rollout of the package that fails everywhere has paused itself. */
  const settleRollouts = async () => {
    wake()
    await until(async () => {
      await continueUnfinishedRollouts(database.db)
      const { items } = await api.get<{ items: { state: string }[] }>('/api/rollouts')
      return items.some(({ state }) => state === 'Paused') || undefined
    }, 'a rollout that pauses itself')
  }
  try {
    await tour({ api, address, depotCredential, seen, wake, settleRollouts })
  } finally {
    depot.stop()
    await simulation.stop()
  }
}
