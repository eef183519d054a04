import { at, type Fleet, phases } from '../src/fleet.ts'
import { machineOf } from '../src/machines/machine.ts'
import { readScenario, type Scenario } from '../src/scenario.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { isSilent } from '../src/traits.ts'
import { type Api, until } from './api.ts'
import { activateRegions, activateRings, assign, request } from './deployments.ts'
import { depotCredential, runDepot, type SimulatedDepot } from './depots.ts'
import { broad, developers, type Groups, groupId, linuxOnly, makeEnrolmentTokens, makeGroups, pilot } from './groups.ts'
import { brokenPackage, importPackages, type Packages, packageId, withheldPackage } from './packages.ts'
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
    connections: 10,
    enrolment: { perSecond: 1_000 },
    work: {
      failureRate: 0.06,
      minimumSeconds: 0.3,
      maximumSeconds: 4,
      rebootRate: 0.03,
      brokenPackages: [brokenPackage],
    },
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
  const tokenOf = await makeEnrolmentTokens(api, scenario, groups)

  report(`${scenario.computers} computers, packages and patches`)
  const simulation = simulate({ scenario, server: options.address, tokenOf })
  try {
    const [servers] = await Promise.all([enterServers(api), defineVariables(api)])
    const packages = await importPackages(api, store)
    await Promise.all([defineClassesAndRoles(api, packages), releasePatches(api, store, simulation.startedAt, groups)])
    await Promise.all([
      setVariables(api, groups),
      setAround(api, groups, packages, servers),
      assign(api, groups, packages),
    ])
    const credential = await depotCredential(api, servers[0] ?? 0)
    const depot = await runDepot(options.address, credential)
    await deploy(options, groups, packages, simulation)
    await options.backdate(past(idsOf(simulation.fleet, silent(simulation.fleet, scenario)), withheldPackage))
    return { simulation, depot, depotCredential: credential }
  } catch (error) {
    await simulation.stop()
    throw error
  }
}

/** The pilot ring begins as soon as its computers are there, so that something has failed when all others are. */
async function deploy(
  { api, scenario, report = () => {} }: DataSetOptions,
  groups: Groups,
  packages: Packages,
  simulation: Simulation,
): Promise<void> {
  const { fleet } = simulation
  const rings = ringsOf(fleet, scenario)
  const pioneers = rings.get(pilot) ?? []
  await arrived(fleet, pioneers)
  await activateRings(api, groups, new Map([[pilot, idsOf(fleet, pioneers)]]))
  await request(api, packages, idsOf(fleet, pioneers.slice(0, 5)))
  simulation.wake(pioneers)
  await arrived(fleet, placesOf(scenario))
  report('deployments')
  rings.delete(pilot)
  await activateRings(api, groups, new Map([...rings].map(([path, places]) => [path, idsOf(fleet, places)])))
  await activateRegions(api, groups)
  await until(async () => (await hasSharedFailure(api)) || undefined, 'the first deployments have failed')
}

const idsOf = ({ clientId }: Fleet, places: readonly number[]) => places.map((place) => at(clientId, place))

const placesOf = ({ computers }: Scenario) => Array.from({ length: computers }, (_, place) => place)

/** Waits until these computers have told everything about themselves. */
async function arrived({ phase, contacts }: Fleet, places: readonly number[]): Promise<void> {
  const isThere = (place: number) => at(phase, place) !== phases.enrolling && at(contacts, place) > 0
  await until(async () => places.every(isThere) || undefined, 'the computers have come', longestArrivalMs)
}

const longestArrivalMs = 300_000

/** Which computers, by their places, are in the rings. */
function ringsOf(fleet: Fleet, scenario: Scenario): Map<string, number[]> {
  const places = placesOf(scenario)
  const isThere = (place: number) => !isSilent(scenario, at(fleet.number, place))
  const machineAt = (place: number) => machineOf(scenario, at(fleet.number, place))
  return new Map([
    [pilot, places.filter(isThere).slice(0, Math.max(16, Math.round(scenario.computers * 0.08)))],
    [broad, places.filter((place) => at(fleet.number, place) % 3 === 0)],
    [developers, places.filter((place) => machineAt(place).department === 'Engineering')],
    [linuxOnly, places.filter((place) => machineAt(place).platform === 'linux')],
  ])
}

function silent(fleet: Fleet, scenario: Scenario): number[] {
  return placesOf(scenario).filter((place) => isSilent(scenario, at(fleet.number, place)))
}

async function hasSharedFailure(api: Api): Promise<boolean> {
  const { totalCount } = await api.get<{ totalCount: number }>('/api/computer/issues/shared-package-failure')
  return totalCount > 0
}
