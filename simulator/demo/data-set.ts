import { at, type Fleet, kinds, phases } from '../src/fleet.ts'
import { isAmong, machineOf } from '../src/machines/machine.ts'
import { readScenario, type Scenario } from '../src/scenario.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { type Api, until } from './api.ts'
import { activate, assign, request } from './deployments.ts'
import { depotCredential, runDepot, type SimulatedDepot } from './depots.ts'
import { broad, developers, groupId, makeEnrolmentTokens, makeGroups, pilot } from './groups.ts'
import { brokenPackage, importPackages, packageId, withheldPackage } from './packages.ts'
import { type Backdate, past } from './past.ts'
import { releasePatches } from './patches.ts'
import { defineClassesAndRoles, defineVariables, enterServers, setAround, setVariables } from './settings.ts'

export type DataSetOptions = {
  address: string
  /** With all roles. */
  api: Api
  /** The folder of the package store. */
  store: string
  scenario: Scenario
  backdate: Backdate
  /** Told what is done. */
  report?: (step: string) => void
}

export type DataSet = { simulation: Simulation; depot: SimulatedDepot; depotCredential: string }

/** The fleet of the demo: everything that Muster can show is there, once at least. */
export function demoScenario(changes: Record<string, unknown> = {}): Scenario {
  return readScenario({
    seed: 57,
    computers: 500,
    connections: 24,
    enrolment: { perSecond: 1_000 },
    work: { failureRate: 0.06, minimumSeconds: 1, maximumSeconds: 15, brokenPackages: [brokenPackage] },
    duplicates: { clones: 0.01 },
    clockSkew: { share: 0.03 },
    shares: { silent: 0.05, suspended: 0.04, rebootRequired: 0.08, withoutInventory: 0.03 },
    ...changes,
  })
}

/** Makes the data set in a service that has nothing yet: over the API and the agent channel, except for the past. */
export async function makeDataSet(options: DataSetOptions): Promise<DataSet> {
  const { api, store, scenario, report = () => {} } = options
  report('groups and enrolment tokens')
  const [groups, agents] = await Promise.all([makeGroups(api), importPackages(api, store, ['demo/agents'])])
  const root = groupId(groups.configuration, '')
  await api.post(`/api/group/${root}/agent-template`, { packageId: packageId(agents, 'agents') })
  const startedAt = Date.parse(`${scenario.startDate ?? new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  const { seed, domain, platforms } = scenario
  const plan = { seed, domain, platforms, startedAt }
  const tokenOf = await makeEnrolmentTokens(api, plan, groups)

  report(`${scenario.computers} computers, packages and patches`)
  const simulation = simulate({ scenario, server: options.address, tokenOf })
  try {
    const [servers] = await Promise.all([enterServers(api), defineVariables(api)])
    const packages = await importPackages(api, store)
    await Promise.all([defineClassesAndRoles(api, packages), releasePatches(api, store, startedAt, groups)])
    await Promise.all([
      setVariables(api, groups),
      setAround(api, groups, packages, servers),
      assign(api, groups, packages),
    ])
    const credential = await depotCredential(api, servers[0] ?? 0)
    const depot = await runDepot(options.address, credential)
    await until(async () => (haveArrived(simulation.fleet) ? true : undefined), 'the computers have come', 120_000)

    report('deployments')
    const rings = ringsOf(simulation.fleet, scenario)
    const idsOf = (places: readonly number[]) => places.map((place) => at(simulation.fleet.clientId, place))
    await activate(api, groups, new Map([...rings].map(([path, places]) => [path, idsOf(places)])))
    const pioneers = rings.get(pilot) ?? []
    await request(api, packages, idsOf(pioneers.slice(0, 5)))
    simulation.wake(pioneers)
    await until(async () => (await hasSharedFailure(api)) || undefined, 'the first deployments have failed')
    await options.backdate(past(idsOf(silent(simulation.fleet, scenario)), withheldPackage))
    return { simulation, depot, depotCredential: credential }
  } catch (error) {
    await simulation.stop()
    throw error
  }
}

/** All but those that wait for others. */
function haveArrived({ size, kind, phase, contacts }: Fleet): boolean {
  for (let place = 0; place < size; place++)
    if (at(kind, place) === kinds.plain && (at(phase, place) === phases.enrolling || at(contacts, place) === 0))
      return false
  return true
}

/** Which computers, by their places, are in the rings. */
function ringsOf(fleet: Fleet, { computers, shares, ...scenario }: Scenario): Map<string, number[]> {
  const places = Array.from({ length: computers }, (_, place) => place)
  const isThere = (place: number) => !isAmong(at(fleet.number, place), shares.silent, 24)
  const { seed, domain, platforms } = scenario
  const machineAt = (place: number) => machineOf({ seed, domain, platforms, startedAt: 0 }, at(fleet.number, place))
  return new Map([
    [pilot, places.filter(isThere).slice(0, Math.max(16, Math.round(computers * 0.08)))],
    [broad, places.filter((place) => at(fleet.number, place) % 3 === 0)],
    [developers, places.filter((place) => machineAt(place).department === 'Engineering')],
  ])
}

function silent(fleet: Fleet, { computers, shares }: Scenario): number[] {
  const places = Array.from({ length: computers }, (_, place) => place)
  return places.filter((place) => isAmong(at(fleet.number, place), shares.silent, 24))
}

async function hasSharedFailure(api: Api): Promise<boolean> {
  const { totalCount } = await api.get<{ totalCount: number }>('/api/computer/issues/shared-package-failure')
  return totalCount > 0
}
