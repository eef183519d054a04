import { formatPath } from '@muster/package-format'

export type Relation = 'requires' | 'conflicts' | 'supersedes'

/** A version of a package, and the names that it relates to. */
export type RelatedPackage = { id: string; name: string } & Record<Relation, readonly string[]>

const verbs: Record<Relation, string> = { requires: 'requires', conflicts: 'conflicts with', supersedes: 'supersedes' }

/**
 * The relations of all packages, by name. Case does not matter in names, and sentences show them as the packages write them
 * themselves.
 */
export class RelationGraph {
  readonly #labels = new Map<string, string>()
  readonly #versions = new Map<string, RelatedPackage[]>()

  constructor(packages: readonly RelatedPackage[]) {
    for (const { name } of packages) this.#keyOf(name)
    for (const version of packages) {
      const key = this.#keyOf(version.name)
      const related = (relation: Relation) => version[relation].map((name) => this.#keyOf(name))
      const entry = {
        requires: related('requires'),
        conflicts: related('conflicts'),
        supersedes: related('supersedes'),
      }
      this.#versions.set(key, [...(this.#versions.get(key) ?? []), { ...version, name: key, ...entry }])
    }
  }

  /**
   * A sentence about packages that require or supersede each other, beginning with a name; undefined if there are none. Any version
   * counts: which one comes to a computer is not known before.
   */
  findCycle(name: string, relation: Relation): string | undefined {
    const start = name.toLowerCase()
    const path = findPaths(start, (key) => this.#versionsOf(key).flatMap((version) => version[relation])).get(start)
    return path && this.#format(path, relation)
  }

  /**
   * Why no computer could ever get a package, as a sentence; undefined if one could. Looks at the package with this id, and at those that
   * cannot be installed without a version of it.
   */
  findContradiction(id: string): string | undefined {
    const all = [...this.#versions.values()].flat()
    const subject = all.find((version) => version.id === id)
    if (!subject) return undefined
    const isConcerned = (root: RelatedPackage) => root.id === id || this.#needed(root).has(subject.name)
    for (const root of [subject, ...all.filter((version) => version.id !== id)]) {
      const found = isConcerned(root) ? this.#findOpponents(root) : undefined
      if (found) return `No computer could get ${this.#label(root.name)}: ${found}`
    }
    return undefined
  }

  /** Paths to all names that a package needs whichever versions of them a computer gets. */
  #needed(root: RelatedPackage): Map<string, string[]> {
    const next = (key: string) => (key === root.name ? [...root.requires] : this.#certain(key, 'requires'))
    return findPaths(root.name, next)
  }

  /** The names that all versions of a package relate to. */
  #certain(key: string, relation: Relation): string[] {
    const [first, ...others] = this.#versionsOf(key)
    return (first?.[relation] ?? []).filter((name) => others.every((other) => other[relation].includes(name)))
  }

  /** Two of the packages that come with the root, or the root and one of them, that cannot both be on a computer. */
  #findOpponents(root: RelatedPackage): string | undefined {
    const paths = this.#needed(root)
    const names = [root.name, ...paths.keys()]
    const relate = (one: string, relation: Relation) =>
      one === root.name ? root[relation] : this.#certain(one, relation)
    for (const one of names) {
      const opponent = relate(one, 'conflicts').find((name) => names.includes(name))
      if (opponent !== undefined) return this.#formatOpponents([one, opponent], 'conflicts', paths)
      // What is superseded may be required: the package that has taken its place meets the requirement, unless it needs it itself.
      const needed = one === root.name ? paths : findPaths(one, (key) => this.#certain(key, 'requires'))
      const superseded = relate(one, 'supersedes').find((name) => name === root.name || needed.has(name))
      if (superseded !== undefined) return this.#formatOpponents([one, superseded], 'supersedes', paths)
    }
    return undefined
  }

  #formatOpponents(pair: readonly string[], relation: Relation, paths: ReadonlyMap<string, string[]>): string {
    const chains = pair.flatMap((name) => {
      const path = paths.get(name)
      return path ? this.#format(path, 'requires') : []
    })
    return `${[...chains, `and ${this.#format(pair, relation)}`].join(', ')}.`
  }

  #versionsOf(key: string): readonly RelatedPackage[] {
    return this.#versions.get(key) ?? []
  }

  #keyOf(name: string): string {
    const key = name.toLowerCase()
    if (!this.#labels.has(key)) this.#labels.set(key, name)
    return key
  }

  #label(key: string): string {
    return formatPath(this.#labels.get(key) ?? key)
  }

  #format(path: readonly string[], relation: Relation): string {
    return path.map((key) => this.#label(key)).join(` ${verbs[relation]} `)
  }
}

/** The shortest path to everything that is reached from a name in at least one step. */
function findPaths(start: string, next: (name: string) => readonly string[]): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  const queue = [[start]]
  for (let path = queue.shift(); path; path = queue.shift())
    for (const name of next(path.at(-1) ?? start))
      if (!paths.has(name)) {
        paths.set(name, [...path, name])
        queue.push([...path, name])
      }
  return paths
}
