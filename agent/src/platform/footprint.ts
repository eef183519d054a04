/** Something that software leaves on a computer. */
export type FootprintItem = { kind: 'File' | 'Folder' | 'Package' | 'Program' | 'Service'; name: string }

/** The files in a place where software is installed, level by level. Only whole levels are listed. */
export type PlaceFootprint = { place: string; levels: FootprintItem[][]; isComplete: boolean }

/** What there is of software on a computer, in known places. The difference of two of them is what was added. */
export type Footprint = {
  places: PlaceFootprint[]
  /** Packages, programs and services. */
  entries: FootprintItem[]
}

type Leftovers = { items: FootprintItem[]; isComplete: boolean }

/** What is known if there is nothing to compare with. */
export const incompleteLeftovers: Leftovers = { items: [], isComplete: false }

/**
 * What exists now and did not before, in the order of kinds and names. Of a new folder, its content is not listed. What another
 * program has made meanwhile is listed, too: the two cannot be distinguished.
 */
export function findLeftovers(before: Footprint, after: Footprint): Leftovers {
  const entries = without(after.entries, before.entries)
  const files = after.places.flatMap(({ place, levels }) => {
    const known = before.places.find((one) => one.place === place)?.levels ?? []
    return topmost(levels.slice(0, known.length).flatMap((level, depth) => without(level, known[depth] ?? [])))
  })
  const items = [...entries, ...files].toSorted((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name))
  const isComplete = [...before.places, ...after.places].every((place) => place.isComplete)
  return { items, isComplete }
}

function without(items: readonly FootprintItem[], known: readonly FootprintItem[]): FootprintItem[] {
  const names = new Set(known.map(keyOf))
  return items.filter((item) => !names.has(keyOf(item)))
}

function topmost(items: readonly FootprintItem[]): FootprintItem[] {
  const folders = new Set(items.filter(({ kind }) => kind === 'Folder').map(({ name }) => name))
  return items.filter(({ name }) => {
    const parent = name.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')))
    return !folders.has(parent)
  })
}

const keyOf = ({ kind, name }: FootprintItem) => JSON.stringify([kind, name])

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
