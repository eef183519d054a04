import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ExpectedError } from './expected-error.ts'
import { at, type Fleet, newDictionary, newFleet, phases } from './fleet.ts'
import type { Scenario } from './scenario.ts'

const format = 'muster-simulated-fleet/1'

/** The fields of a scenario that decide which computers a fleet has. */
type Identity = Pick<Scenario, 'seed' | 'computers' | 'firstNumber' | 'domain' | 'duplicates' | 'platforms'>

type SavedComputer = [
  index: number,
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
  /** Missing in files of earlier versions, like `agentVersions` below. */
  agentVersion?: number,
]

type Saved = {
  format: string
  identity: Identity
  startedAt: number
  settingsHashes: readonly string[]
  agentVersions?: readonly string[]
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

/** Saves what a later run needs to continue. The file contains credentials, so only its owner may read it. */
export function saveFleet(path: string, scenario: Scenario, fleet: Fleet, startedAt: number): void {
  const computers: SavedComputer[] = []
  for (let index = 0; index < fleet.size; index++)
    if (at(fleet.phase, index) !== phases.enrolling) computers.push(toSavedComputer(fleet, index))
  const saved: Saved = {
    format,
    identity: identityOf(scenario),
    startedAt,
    settingsHashes: fleet.settingsHashes.all(),
    agentVersions: fleet.agentVersions.all(),
    packageNames: fleet.packageNames.all(),
    patchKeys: fleet.patchKeys.all(),
    computers,
  }
  // The rename is atomic: a crash never leaves half a file.
  writeFileSync(`${path}.new`, JSON.stringify(saved), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function toSavedComputer(fleet: Fleet, index: number): SavedComputer {
  return [
    index,
    at(fleet.clientId, index),
    fleet.credential[index] ?? '',
    at(fleet.runs, index),
    at(fleet.contacts, index),
    at(fleet.requests, index),
    at(fleet.bootedAt, index),
    at(fleet.scannedAt, index),
    at(fleet.isRebootRequired, index),
    at(fleet.revision, index),
    at(fleet.settings, index),
    fleet.packages.get(index) ?? [],
    fleet.patches.get(index) ?? [],
    at(fleet.agentVersion, index),
  ]
}

/** Reads the fleet of an earlier run. Returns undefined if the file does not exist. */
export function findSavedFleet(path: string, scenario: Scenario): { fleet: Fleet; startedAt: number } | undefined {
  const saved = findSaved(path)
  if (!saved) return undefined
  const [savedIdentity, identity] = [identityOf(saved.identity), identityOf(scenario)]
  const differing = (Object.keys(identity) as (keyof Identity)[]).filter(
    (name) => JSON.stringify(savedIdentity[name]) !== JSON.stringify(identity[name]),
  )
  if (differing.length > 0)
    throw new ExpectedError(
      `${path} contains another fleet: it differs from the scenario in ${differing.join(', ')}. Use another file for --state.`,
    )
  const empty = newFleet(scenario)
  const fleet: Fleet = {
    ...empty,
    agentVersions: saved.agentVersions ? newDictionary(saved.agentVersions) : empty.agentVersions,
    settingsHashes: newDictionary(saved.settingsHashes),
    packageNames: newDictionary(saved.packageNames),
    patchKeys: newDictionary(saved.patchKeys),
  }
  for (const computer of saved.computers) restore(fleet, computer)
  return { fleet, startedAt: saved.startedAt }
}

function findSaved(path: string): Saved | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ExpectedError(`Cannot read the fleet in ${path}: ${(error as Error).message}.`)
  }
  try {
    const saved = JSON.parse(text) as Saved
    if (saved.format === format) return saved
  } catch {
    // Not JSON: reported below, like any other file that is not a saved fleet.
  }
  throw new ExpectedError(`${path} is not a saved fleet.`)
}

function restore(fleet: Fleet, [index, clientId, credential, ...rest]: SavedComputer): void {
  const [runs, contacts, requests, bootedAt, scannedAt, isRebootRequired, revision, settings, ...lists] = rest
  const [packages, patches, agentVersion = 0] = lists
  fleet.phase[index] = phases.contacting
  fleet.clientId[index] = clientId
  fleet.credential[index] = credential
  // The agents of the earlier run ended with it, so this is a new agent process.
  fleet.runs[index] = runs + 1
  fleet.contacts[index] = contacts
  fleet.requests[index] = requests
  fleet.bootedAt[index] = bootedAt
  fleet.scannedAt[index] = scannedAt
  fleet.isRebootRequired[index] = isRebootRequired
  fleet.revision[index] = revision
  fleet.settings[index] = settings
  fleet.agentVersion[index] = agentVersion
  if (packages.length > 0) fleet.packages.set(index, packages)
  if (patches.length > 0) fleet.patches.set(index, patches)
}
