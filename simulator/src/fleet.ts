import type { Scenario } from './scenario.ts'
import { hasClone, hasTwin } from './traits.ts'

/** What a computer does in its next step. */
export const phases = { enrolling: 0, contacting: 1, working: 2, silent: 3 } as const

/** A clone has the credential of another computer, a twin only its UUID. */
export const kinds = { plain: 0, clone: 1, twin: 2 } as const

/** Texts that many computers share. Each is stored once and referred to by its index. */
export type Dictionary = {
  /** Returns the index of the text, and adds the text if it is new. */
  add(text: string): number
  text(index: number): string
  all(): readonly string[]
}

/**
 * The state of the computers that changes. Each property is an array over all computers, so a computer takes a few dozen
 * bytes and its credential. Everything else is derived from the seed.
 */
export type Fleet = {
  /** The number of computers, clones and twins. */
  size: number
  number: Int32Array
  kind: Uint8Array
  /** For a clone or twin, the index of the computer that it copies; otherwise its own index. */
  original: Int32Array
  phase: Uint8Array
  clientId: Int32Array
  credential: string[]
  /** The number of agent processes, contacts and requests so far. They serve as occasions for random draws. */
  runs: Uint32Array
  contacts: Uint32Array
  requests: Uint32Array
  /** Consecutive lost requests. */
  failures: Uint8Array
  bootedAt: Float64Array
  scannedAt: Float64Array
  isRebootRequired: Uint8Array
  /** Counts the changes of the installed packages. */
  revision: Uint32Array
  /** Indexes in `settingsHashes`. */
  settings: Uint16Array
  /** Indexes in `agentVersions`. */
  agentVersion: Uint16Array
  /** Indexes in `packageNames` and `patchKeys`. Computers without any have no entry. */
  packages: Map<number, number[]>
  patches: Map<number, number[]>
  settingsHashes: Dictionary
  agentVersions: Dictionary
  /** Name and version, separated by a line break. */
  packageNames: Dictionary
  patchKeys: Dictionary
}

/** The version of all agents before their first update. */
const firstAgentVersion = '0.1.0'

/** Twins are computers of their own. Their numbers start above those of any fleet. */
const twinNumberOffset = 1_000_000_000

export function newFleet(scenario: Scenario): Fleet {
  const { computers, firstNumber } = scenario
  const indexes = Array.from({ length: computers }, (_, index) => index)
  const clones = indexes.filter((index) => hasClone(scenario, index + firstNumber))
  const twins = indexes.filter((index) => hasTwin(scenario, index + firstNumber))
  const originals = Int32Array.from([...indexes, ...clones, ...twins])
  const size = originals.length
  return {
    size,
    number: originals.map(
      (original, index) => original + firstNumber + (index >= computers + clones.length ? twinNumberOffset : 0),
    ),
    kind: Uint8Array.from({ length: size }, (_, index) => kindAt(index, computers, clones.length)),
    original: originals,
    phase: new Uint8Array(size),
    clientId: new Int32Array(size),
    credential: new Array<string>(size).fill(''),
    runs: new Uint32Array(size),
    contacts: new Uint32Array(size),
    requests: new Uint32Array(size),
    failures: new Uint8Array(size),
    bootedAt: new Float64Array(size),
    scannedAt: new Float64Array(size),
    isRebootRequired: new Uint8Array(size),
    revision: new Uint32Array(size),
    settings: new Uint16Array(size),
    agentVersion: new Uint16Array(size),
    packages: new Map(),
    patches: new Map(),
    settingsHashes: newDictionary(['']),
    agentVersions: newDictionary([firstAgentVersion]),
    packageNames: newDictionary(),
    patchKeys: newDictionary(),
  }
}

function kindAt(index: number, computers: number, clones: number): number {
  if (index < computers) return kinds.plain
  return index < computers + clones ? kinds.clone : kinds.twin
}

export function newDictionary(texts: readonly string[] = []): Dictionary {
  const known = [...texts]
  const indexes = new Map(known.map((text, index) => [text, index]))
  return {
    add(text) {
      const index = indexes.get(text) ?? known.push(text) - 1
      indexes.set(text, index)
      return index
    },
    text: (index) => known[index] ?? '',
    all: () => known,
  }
}

/** Returns the number at an index that is known to exist. */
export function at(numbers: Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array, index: number): number {
  return numbers[index] ?? 0
}

/** Lists the packages that the agent of a computer has installed. */
export function packagesOf({ packages, packageNames }: Fleet, computer: number): { name: string; version: string }[] {
  return (packages.get(computer) ?? []).map((index) => {
    const [name = '', version = ''] = packageNames.text(index).split('\n')
    return { name, version }
  })
}

/** Installs this version of a package in place of any other version, or removes the package. */
export function setPackage(fleet: Fleet, computer: number, name: string, version: string, isInstalled: boolean): void {
  const { packages, packageNames, revision } = fleet
  const before = packages.get(computer) ?? []
  const others = before.filter((index) => !packageNames.text(index).startsWith(`${name}\n`))
  const after = isInstalled ? [...others, packageNames.add(`${name}\n${version}`)] : others
  if (after.length === 0) packages.delete(computer)
  else packages.set(computer, after)
  revision[computer] = at(revision, computer) + 1
}

export function hasPackage({ packages, packageNames }: Fleet, computer: number, name: string): boolean {
  return (packages.get(computer) ?? []).some((index) => packageNames.text(index).startsWith(`${name}\n`))
}

export function patchesOf({ patches, patchKeys }: Fleet, computer: number): ReadonlySet<string> {
  return new Set((patches.get(computer) ?? []).map((index) => patchKeys.text(index)))
}

export function addPatches({ patches, patchKeys }: Fleet, computer: number, keys: readonly string[]): void {
  const known = new Set(patches.get(computer))
  for (const key of keys) {
    known.delete(patchKeys.add(rolledBack(key)))
    known.add(patchKeys.add(key))
  }
  if (known.size > 0) patches.set(computer, [...known])
}

/** How a patch is listed that the computer has rolled back. */
export const rolledBack = (key: string) => `rolled back ${key}`

export function removePatches({ patches, patchKeys }: Fleet, computer: number, keys: readonly string[]): void {
  const known = new Set(patches.get(computer))
  for (const key of keys) {
    known.delete(patchKeys.add(key))
    known.add(patchKeys.add(rolledBack(key)))
  }
  if (known.size > 0) patches.set(computer, [...known])
}
