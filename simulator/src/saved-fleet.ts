import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ExpectedError } from './expected-error.ts'
import { at, dictionary, type Fleet, newFleet, phases } from './fleet.ts'
import type { Scenario } from './scenario.ts'

const format = 'muster-simulated-fleet/1'

/** The part of a scenario without which the saved computers would be others. */
type Identity = Pick<Scenario, 'seed' | 'computers' | 'firstNumber' | 'domain' | 'duplicates' | 'platforms'>

type SavedComputer = [
  place: number,
  clientId: number,
  credential: string,
  runs: number,
  contacts: number,
  requests: number,
  bootedAt: number,
  scannedAt: number,
  isRebootRequired: number,
  revision: number,
  settings: number,
  packages: number[],
  patches: number[],
]

type Saved = {
  format: string
  identity: Identity
  startedAt: number
  settingsHashes: readonly string[]
  packageNames: readonly string[]
  patchKeys: readonly string[]
  computers: SavedComputer[]
}

const identityOf = ({ seed, computers, firstNumber, domain, duplicates, platforms }: Identity): Identity => ({
  seed,
  computers,
  firstNumber,
  domain,
  duplicates,
  platforms,
})

/** Keeps what a later run needs to go on. The file holds credentials: only its owner may read it. */
export function saveFleet(path: string, scenario: Scenario, fleet: Fleet, startedAt: number): void {
  const computers: SavedComputer[] = []
  for (let place = 0; place < fleet.size; place++)
    if (at(fleet.phase, place) !== phases.enrolling) computers.push(savedComputer(fleet, place))
  const saved: Saved = {
    format,
    identity: identityOf(scenario),
    startedAt,
    settingsHashes: fleet.settingsHashes.all(),
    packageNames: fleet.packageNames.all(),
    patchKeys: fleet.patchKeys.all(),
    computers,
  }
  // Never half a file, even if the process ends meanwhile.
  writeFileSync(`${path}.new`, JSON.stringify(saved), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function savedComputer(fleet: Fleet, place: number): SavedComputer {
  return [
    place,
    at(fleet.clientId, place),
    fleet.credential[place] ?? '',
    at(fleet.runs, place),
    at(fleet.contacts, place),
    at(fleet.requests, place),
    at(fleet.bootedAt, place),
    at(fleet.scannedAt, place),
    at(fleet.isRebootRequired, place),
    at(fleet.revision, place),
    at(fleet.settings, place),
    fleet.packages.get(place) ?? [],
    fleet.patches.get(place) ?? [],
  ]
}

/** What an earlier run has kept, or undefined if there was none. */
export function readSavedFleet(path: string, scenario: Scenario): { fleet: Fleet; startedAt: number } | undefined {
  const saved = readSaved(path)
  if (!saved) return undefined
  const [was, is] = [identityOf(saved.identity), identityOf(scenario)]
  const differing = (Object.keys(is) as (keyof Identity)[]).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
  if (differing.length > 0)
    throw new ExpectedError(`${path} is the state of another fleet: ${differing.join(', ')} differ from the scenario.`)
  const fleet: Fleet = {
    ...newFleet(scenario),
    settingsHashes: dictionary(saved.settingsHashes),
    packageNames: dictionary(saved.packageNames),
    patchKeys: dictionary(saved.patchKeys),
  }
  for (const computer of saved.computers) restore(fleet, computer)
  return { fleet, startedAt: saved.startedAt }
}

function readSaved(path: string): Saved | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ExpectedError(`The state ${path} cannot be read: ${(error as Error).message}.`)
  }
  try {
    const saved = JSON.parse(text) as Saved
    if (saved.format === format) return saved
  } catch {
    // Told below, as anything else that is not such a file.
  }
  throw new ExpectedError(`${path} is no state of a simulated fleet.`)
}

function restore(fleet: Fleet, [place, clientId, credential, ...rest]: SavedComputer): void {
  const [runs, contacts, requests, bootedAt, scannedAt, isRebootRequired, revision, settings, packages, patches] = rest
  fleet.phase[place] = phases.contacting
  fleet.clientId[place] = clientId
  fleet.credential[place] = credential
  // The simulator has ended, and so have the processes of its agents.
  fleet.runs[place] = runs + 1
  fleet.contacts[place] = contacts
  fleet.requests[place] = requests
  fleet.bootedAt[place] = bootedAt
  fleet.scannedAt[place] = scannedAt
  fleet.isRebootRequired[place] = isRebootRequired
  fleet.revision[place] = revision
  fleet.settings[place] = settings
  if (packages.length > 0) fleet.packages.set(place, packages)
  if (patches.length > 0) fleet.patches.set(place, patches)
}
