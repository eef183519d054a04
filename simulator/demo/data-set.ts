import { at, type Fleet, phases } from '../src/fleet.ts'
import { machineOf } from '../src/machines/machine.ts'
import { readScenario, type Scenario } from '../src/scenario.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { isSilent } from '../src/traits.ts'
import { type Api, until } from './api.ts'
import {
  activateRegions,
  activateRings,
  assignAll,
  requestActions,
  requestInstallations,
  setCostCentres,
} from './deployments.ts'
import { createDepotCredential, runDepot, type SimulatedDepot } from './depots.ts'
import {
  broad,
  createEnrolmentTokens,
  createGroups,
  developers,
  type Groups,
  groupId,
  keepConverged,
  linuxOnly,
  pilot,
  setRules,
} from './groups.ts'
import { exceedQuota } from './limits.ts'
import { brokenPackage, importPackages, type Packages, packageId, withheldPackage } from './packages.ts'
import type { WritePast } from './past.ts'
import { releasePatches } from './patches.ts'
import { enrolUnprovenAgent } from './quarantine.ts'
import { askForPackages } from './requests.ts'
import { protectServer, startRollouts } from './rollouts.ts'
import {
  createServers,
  defineClassesAndRoles,
  defineCustomField,
  defineVariables,
  setTagsAndPrincipals,
  setVariables,
} from './settings.ts'
import { addSources } from './sources.ts'
import { tryPackage } from './trials.ts'
import { uploadFiles } from './uploads.ts'
import { importAdvisories } from './vulnerabilities.ts'

export type DataSetOptions = {
  address: string
  /** Calls with all roles. */
  api: Api
  /** The folder of the package store. */
  store: string
  /** The file of the key that signs a package. */
  signingKey: string
  scenario: Scenario
  writePast: WritePast
  /** Called with the name of each step. */
  report?: (step: string) => void
}

export type DataSet = { simulation: Simulation; depot: SimulatedDepot; depotCredential: string }

/** The fleet of the demo. It has at least one example of everything that Muster can show. */
export function demoScenario(changes: Record<string, unknown> = {}): Scenario {
  return readScenario({
    seed: 57,
    computers: 500,
    connections: 10,
    enrolment: { perSecond: 1_000 },
    contact: { connectedShare: 0.85 },
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

/** Creates the data set in an empty service. It uses the API and the agent channel, except for dates in the past. */
export async function makeDataSet(options: DataSetOptions): Promise<DataSet> {
  const { api, store, signingKey, scenario, report = () => {} } = options
  const source = { store, signingKey }
  report('groups and enrolment tokens')
  const [groups, agents] = await Promise.all([createGroups(api), importPackages(api, source, ['demo/agents'])])
  const root = groupId(groups.configuration, '')
  await api.post(`/api/group/${root}/agent-template`, { packageId: packageId(agents, 'agents') })
  const tokenOf = await createEnrolmentTokens(api, scenario, groups)

  report(`${scenario.computers} computers, packages and patches`)
  const simulation = simulate({ scenario, server: options.address, tokenOf })
  try {
    const [servers] = await Promise.all([createServers(api), defineVariables(api), defineCustomField(api)])
    const packages = await importPackages(api, source)
    await uploadFiles(api)
    await addSources(api, store)
    await Promise.all([defineClassesAndRoles(api, packages), releasePatches(api, store, simulation.startedAt, groups)])
    await Promise.all([
      setVariables(api, groups),
      setTagsAndPrincipals(api, groups, packages, servers),
      assignAll(api, groups, packages),
    ])
    await enrolUnprovenAgent(api, options.address)
    const credential = await createDepotCredential(api, servers[0] ?? 0)
    const depot = await runDepot(options.address, credential)
    await protectServer(api, servers[1] ?? 0)
    await deploy(options, groups, packages, simulation)
    await tryOnPilot(options, packages, simulation)
    await setRules(api, groups)
    await keepConverged(api, groups)
    await startRollouts(api, groups, packages)
    await requestInstallations(api, groups)
    await askForPackages(options, simulation.fleet, ringsOf(simulation.fleet, scenario).get(pilot) ?? [], packages)
    report('advisories')
    await importAdvisories(api, store, groups)
    await exceedQuota(options, root)
    const silentComputers = idsOf(simulation.fleet, silentIndexes(simulation.fleet, scenario))
    await options.writePast({ silentComputers, withheldPackage })
    return { simulation, depot, depotCredential: credential }
  } catch (error) {
    await simulation.stop()
    throw error
  }
}

/** The pilot ring is activated first, so some deployments have failed by the time all other computers are enrolled. */
async function deploy(
  { api, scenario, report = () => {} }: DataSetOptions,
  groups: Groups,
  packages: Packages,
  simulation: Simulation,
): Promise<void> {
  const { fleet } = simulation
  const rings = ringsOf(fleet, scenario)
  const pilotIndexes = rings.get(pilot) ?? []
  await waitForFirstContacts(fleet, pilotIndexes)
  const firstPilots = idsOf(fleet, pilotIndexes.slice(0, 5))
  await setCostCentres(api, firstPilots)
  await activateRings(api, groups, new Map([[pilot, idsOf(fleet, pilotIndexes)]]))
  await requestActions(api, packages, firstPilots)
  simulation.wake(pilotIndexes)
  await waitForFirstContacts(fleet, indexesOf(scenario))
  report('deployments')
  rings.delete(pilot)
  await activateRings(api, groups, new Map([...rings].map(([path, indexes]) => [path, idsOf(fleet, indexes)])))
  await activateRegions(api, groups)
  await until(async () => (await hasSharedFailure(api)) || undefined, 'a package failure that several computers share')
}

/** A package that few computers have is tried before others get it. */
async function tryOnPilot(
  { api, scenario }: DataSetOptions,
  packages: Packages,
  simulation: Simulation,
): Promise<void> {
  const { fleet } = simulation
  const pilotIndexes = ringsOf(fleet, scenario).get(pilot) ?? []
  await tryPackage(api, packageId(packages, 'browser-131.0'), {
    computerIds: idsOf(fleet, pilotIndexes),
    awayIds: idsOf(fleet, silentIndexes(fleet, scenario)),
    wake: () => simulation.wake(pilotIndexes),
  })
}

const idsOf = ({ clientId }: Fleet, indexes: readonly number[]) => indexes.map((index) => at(clientId, index))

const indexesOf = ({ computers }: Scenario) => Array.from({ length: computers }, (_, index) => index)

/** Waits until these computers have made their first contact, and thus sent everything about themselves. */
async function waitForFirstContacts({ phase, contacts }: Fleet, indexes: readonly number[]): Promise<void> {
  const hasMadeContact = (index: number) => at(phase, index) !== phases.enrolling && at(contacts, index) > 0
  const goal = 'the first contacts of the computers'
  await until(async () => indexes.every(hasMadeContact) || undefined, goal, firstContactsTimeoutMs)
}

const firstContactsTimeoutMs = 300_000

/** The indexes of the computers in each ring. */
function ringsOf(fleet: Fleet, scenario: Scenario): Map<string, number[]> {
  const indexes = indexesOf(scenario)
  const staysActive = (index: number) => !isSilent(scenario, at(fleet.number, index))
  const machineAt = (index: number) => machineOf(scenario, at(fleet.number, index))
  return new Map([
    [pilot, indexes.filter(staysActive).slice(0, Math.max(16, Math.round(scenario.computers * 0.08)))],
    [broad, indexes.filter((index) => at(fleet.number, index) % 3 === 0)],
    [developers, indexes.filter((index) => machineAt(index).department === 'Engineering')],
    [linuxOnly, indexes.filter((index) => machineAt(index).platform === 'linux')],
  ])
}

function silentIndexes(fleet: Fleet, scenario: Scenario): number[] {
  return indexesOf(scenario).filter((index) => isSilent(scenario, at(fleet.number, index)))
}

async function hasSharedFailure(api: Api): Promise<boolean> {
  const { totalCount } = await api.get<{ totalCount: number }>('/api/computer/issues/shared-package-failure')
  return totalCount > 0
}
