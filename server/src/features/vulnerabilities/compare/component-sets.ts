/** Components of one family that some computers have. */
export type ComputerProfile = { family: number; components: number[]; computers: number }

type ComponentSet = { family: number; vulnerabilities: readonly number[]; computers: number }

/**
 * The components that vulnerabilities affect. Many vulnerabilities affect the same set of components. The sets that are about the
 * same packages are a family: a computer counts for each set of which it has a component, so computers with the same components of
 * a family need to be looked at once.
 */
export class ComponentSets {
  /** Each component with the families in which it counts. */
  readonly members: readonly { componentId: number; family: number }[]
  readonly #sets: ComponentSet[] = []
  /** By family, the sets that contain a component. */
  readonly #setsOf: Map<number, ComponentSet[]>[] = []

  /** `packages` names the package of each component. */
  constructor(
    sets: readonly { components: readonly number[]; vulnerabilities: readonly number[] }[],
    packages: ReadonlyMap<number, string>,
  ) {
    const families = new Map<string, number>()
    for (const { components, vulnerabilities } of sets) {
      const names = [...new Set(components.map((id) => packages.get(id) ?? ''))].sort()
      const name = JSON.stringify(names)
      const family = families.get(name) ?? families.size
      families.set(name, family)
      const set = { family, vulnerabilities, computers: 0 }
      this.#sets.push(set)
      this.#setsOf[family] ??= new Map()
      const setsOf = this.#setsOf[family]
      for (const id of components) {
        const containing = setsOf.get(id)
        if (containing) containing.push(set)
        else setsOf.set(id, [set])
      }
    }
    this.members = this.#setsOf.flatMap((setsOf, family) =>
      [...setsOf.keys()].map((componentId) => ({ componentId, family })),
    )
  }

  /** Adds computers that have these components of a family, and no others of it. */
  count({ family, components, computers }: ComputerProfile): void {
    const setsOf = this.#setsOf[family]
    for (const set of new Set(components.flatMap((id) => setsOf?.get(id) ?? []))) set.computers += computers
  }

  listCounts(): { vulnerabilityId: number; computers: number }[] {
    return this.#sets.flatMap(({ vulnerabilities, computers }) =>
      vulnerabilities.map((vulnerabilityId) => ({ vulnerabilityId, computers })),
    )
  }
}
