/** A component, and where it counts: in a family, at a position that it shares with the components of the same sets. */
export type SetMember = { componentId: number; family: number; position: number }

/** Positions of a family that some computers have. */
export type ComputerProfile = { family: number; positions: readonly number[]; computers: number }

type ComponentSet = { family: number; vulnerabilities: readonly number[]; computers: number }

/** So many positions fit into a mask that is a number without loss. */
const maxMaskedPositions = 52

/**
 * The components that vulnerabilities affect. Many vulnerabilities affect the same set of components. The sets that are about the
 * same packages are a family: a computer counts for each set of which it has a component, so computers with the same positions of
 * a family need to be looked at once.
 */
export class ComponentSets {
  /** The members of families whose positions fit into a mask. */
  readonly masked: readonly SetMember[]
  readonly others: readonly SetMember[]
  readonly #sets: ComponentSet[] = []
  /** By family and position. */
  readonly #setsAt: ComponentSet[][][] = []

  /** `packages` names the package of each component. */
  constructor(
    sets: readonly { components: readonly number[]; vulnerabilities: readonly number[] }[],
    packages: ReadonlyMap<number, string>,
  ) {
    const families = new Map<string, Map<number, number[]>>()
    const numbers = new Map<string, number>()
    for (const { components, vulnerabilities } of sets) {
      const name = JSON.stringify([...new Set(components.map((id) => packages.get(id) ?? ''))].sort())
      const family = numbers.get(name) ?? numbers.size
      numbers.set(name, family)
      const setsOf = families.get(name) ?? new Map<number, number[]>()
      families.set(name, setsOf)
      for (const id of components) {
        const containing = setsOf.get(id)
        if (containing) containing.push(this.#sets.length)
        else setsOf.set(id, [this.#sets.length])
      }
      this.#sets.push({ family, vulnerabilities, computers: 0 })
    }
    const members = [...families.values()].flatMap((setsOf, family) => this.#place(family, setsOf))
    const isMasked = ({ family }: SetMember) => (this.#setsAt[family]?.length ?? 0) <= maxMaskedPositions
    this.masked = members.filter(isMasked)
    this.others = members.filter((member) => !isMasked(member))
  }

  #place(family: number, setsOf: ReadonlyMap<number, readonly number[]>): SetMember[] {
    const positions = new Map<string, number>()
    const setsAt: ComponentSet[][] = []
    this.#setsAt[family] = setsAt
    return [...setsOf].map(([componentId, containing]) => {
      const key = containing.join()
      const position = positions.get(key) ?? positions.size
      positions.set(key, position)
      setsAt[position] ??= containing.flatMap((at) => this.#sets[at] ?? [])
      return { componentId, family, position }
    })
  }

  /** Adds computers that have components at these positions of a family, and no others of it. */
  count({ family, positions, computers }: ComputerProfile): void {
    const setsAt = this.#setsAt[family]
    for (const set of new Set(positions.flatMap((position) => setsAt?.[position] ?? []))) set.computers += computers
  }

  listCounts(): { vulnerabilityId: number; computers: number }[] {
    return this.#sets.flatMap(({ vulnerabilities, computers }) =>
      vulnerabilities.map((vulnerabilityId) => ({ vulnerabilityId, computers })),
    )
  }
}

/** The positions in a mask with a bit for each. */
export function positionsOfMask(mask: number): number[] {
  const positions: number[] = []
  for (let position = 0, rest = mask; rest > 0; position++, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) positions.push(position)
  return positions
}
