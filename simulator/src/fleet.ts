import type { Scenario } from './scenario.ts'
import { hasClone, hasTwin } from './traits.ts'

/** What a computer does when it is woken next. */
export const phases = { enrolling: 0, contacting: 1, working: 2, silent: 3 } as const

/** A copy has the credential of another computer, a twin only its UUID. */
export const kinds = { plain: 0, clone: 1, twin: 2 } as const

/** Texts that many computers have in common, each kept once. */
export type Dictionary = { place(text: string): number; text(place: number): string; all(): readonly string[] }

/**
 * What changes about computers. Everything is an array over all of them, so that a computer takes a few dozen bytes and its
 * credential; everything else is worked out of the seed.
 */
export type Fleet = {
  /** Computers, clones and twins. */
  size: number
  number: Int32Array
  kind: Uint8Array
  /** The place of the computer of which this one is a copy; otherwise its own. */
  original: Int32Array
  phase: Uint8Array
  clientId: Int32Array
  credential: string[]
  /** How many processes of the agent there were, contacts and requests: occasions for what is drawn. */
  runs: Uint32Array
  contacts: Uint32Array
  requests: Uint32Array
  /** Requests that were lost since the last that was not. */
  failures: Uint8Array
  bootedAt: Float64Array
  scannedAt: Float64Array
  isRebootRequired: Uint8Array
  /** How often the installed packages have changed. */
  revision: Uint32Array
  /** Places in `settingsHashes`. */
  settings: Uint16Array
  /** Places in `packageNames` and `patchKeys`, of those that have any. */
  packages: Map<number, number[]>
  patches: Map<number, number[]>
  settingsHashes: Dictionary
  /** Name and version, with a line break between them. */
  packageNames: Dictionary
  patchKeys: Dictionary
}

/** Twins are other computers, with numbers that no fleet reaches. */
const firstTwin = 1_000_000_000

export function newFleet(scenario: Scenario): Fleet {
  const { computers, firstNumber } = scenario
  const places = Array.from({ length: computers }, (_, place) => place)
  const clones = places.filter((place) => hasClone(scenario, place + firstNumber))
  const twins = places.filter((place) => hasTwin(scenario, place + firstNumber))
  const originals = Int32Array.from([...places, ...clones, ...twins])
  const size = originals.length
  return {
    size,
    number: originals.map((original, at) => original + firstNumber + (at >= computers + clones.length ? firstTwin : 0)),
    kind: Uint8Array.from({ length: size }, (_, at) => kindAt(at, computers, clones.length)),
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
    packages: new Map(),
    patches: new Map(),
    settingsHashes: dictionary(['']),
    packageNames: dictionary(),
    patchKeys: dictionary(),
  }
}

function kindAt(at: number, computers: number, clones: number): number {
  if (at < computers) return kinds.plain
  return at < computers + clones ? kinds.clone : kinds.twin
}

export function dictionary(texts: readonly string[] = []): Dictionary {
  const known = [...texts]
  const places = new Map(known.map((text, place) => [text, place]))
  return {
    place(text) {
      const place = places.get(text) ?? known.push(text) - 1
      places.set(text, place)
      return place
    },
    text: (place) => known[place] ?? '',
    all: () => known,
  }
}

/** The number at a place that is known to be there. */
export function at(numbers: Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array, place: number): number {
  return numbers[place] ?? 0
}

/** The packages that the agent of a computer has installed. */
export function packagesOf({ packages, packageNames }: Fleet, computer: number): { name: string; version: string }[] {
  return (packages.get(computer) ?? []).map((place) => {
    const [name = '', version = ''] = packageNames.text(place).split('\n')
    return { name, version }
  })
}

/** Another version of the package is not there any more, and this one is, if it is meant to be. */
export function setPackage(fleet: Fleet, computer: number, name: string, version: string, isInstalled: boolean): void {
  const { packages, packageNames, revision } = fleet
  const before = packages.get(computer) ?? []
  const others = before.filter((place) => !packageNames.text(place).startsWith(`${name}\n`))
  const after = isInstalled ? [...others, packageNames.place(`${name}\n${version}`)] : others
  if (after.length === 0) packages.delete(computer)
  else packages.set(computer, after)
  revision[computer] = at(revision, computer) + 1
}

export function hasPackage({ packages, packageNames }: Fleet, computer: number, name: string): boolean {
  return (packages.get(computer) ?? []).some((place) => packageNames.text(place).startsWith(`${name}\n`))
}

export function patchesOf({ patches, patchKeys }: Fleet, computer: number): ReadonlySet<string> {
  return new Set((patches.get(computer) ?? []).map((place) => patchKeys.text(place)))
}

export function addPatches({ patches, patchKeys }: Fleet, computer: number, keys: readonly string[]): void {
  const known = new Set(patches.get(computer))
  for (const key of keys) known.add(patchKeys.place(key))
  if (known.size > 0) patches.set(computer, [...known])
}
