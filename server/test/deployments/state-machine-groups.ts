/** The world of the model: groups of both trees, two versions of one package, and one that requires it. */
export const groups = [
  { tree: 'ConfigurationGroups', parent: null, members: [0, 1] },
  { tree: 'AssignmentGroups', parent: null, members: [1] },
  { tree: 'AssignmentGroups', parent: 1, members: [0] },
] as const

export const packages = [
  { name: 'editor', version: '1', requires: null },
  { name: 'editor', version: '2', requires: null },
  { name: 'plugin', version: '1', requires: 'editor' },
] as const

export const computers = [0, 1] as const
export const modes = ['Install', 'Update', 'Install, Update', 'Uninstall', 'Reinstall'] as const

export type Target = { computer: number } | { group: number }

function upwards(group: number): number[] {
  const parent = groups[group]?.parent ?? null
  return [group, ...(parent === null ? [] : upwards(parent))]
}

const groupsOf = (computer: number) =>
  groups.flatMap(({ members }, group) => (members.some((member) => member === computer) ? group : []))

export const nameOf = (one: number) => packages[one]?.name ?? ''
export const requiredBy = (one: number) => packages[one]?.requires ?? null

/** Assignments, their options, and the groups through which they are published. */
export class AssignmentModel {
  readonly assigned = new Set<string>()
  readonly options = new Map<string, string>()
  readonly active = new Set<string>()

  assign(group: number, one: number) {
    const isNew = !this.assigned.has(`${group} ${one}`)
    this.assigned.add(`${group} ${one}`)
    return isNew ? 201 : 200
  }

  unassign(group: number, one: number) {
    this.options.delete(`${group} ${one}`)
    return this.assigned.delete(`${group} ${one}`) ? 204 : 'PackageNotAssigned'
  }

  setOptions(group: number, one: number | null, mode: string) {
    if (one !== null && !this.assigned.has(`${group} ${one}`)) return 'PackageNotAssigned'
    this.options.set(`${group} ${one}`, mode)
    return 200
  }

  /** The group with the nearest assignment. */
  nearest(computer: number, one: number): number | null {
    const found = groupsOf(computer).flatMap((own) =>
      upwards(own).flatMap((group, distance) =>
        this.assigned.has(`${group} ${one}`)
          ? { group, distance, isLater: groups[group]?.tree === 'AssignmentGroups' }
          : [],
      ),
    )
    const [first] = found.toSorted((a, b) => a.distance - b.distance || Number(a.isLater) - Number(b.isLater))
    return first?.group ?? null
  }

  modeIn(group: number, one: number): string {
    for (const above of upwards(group)) {
      const mode = this.options.get(`${above} ${one}`) ?? this.options.get(`${above} null`)
      if (mode) return mode
    }
    return 'Install'
  }

  protected scope(target: Target, isGlobal: boolean): { computer: number; group: number }[] {
    const all = computers.flatMap((computer) => groupsOf(computer).map((group) => ({ computer, group })))
    // The configuration group is the first of them.
    if ('computer' in target)
      return all.filter(({ computer }) => computer === target.computer).slice(0, isGlobal ? undefined : 1)
    const inside = all.filter(({ group }) => upwards(group).includes(target.group))
    return isGlobal ? all.filter((one) => inside.some(({ computer }) => computer === one.computer)) : inside
  }

  protected isPublished(computer: number, group: number | null): boolean {
    return groupsOf(computer).some(
      (own) => group !== null && this.active.has(`${computer} ${own}`) && upwards(own).includes(group),
    )
  }

  protected clearGroup(group: number): void {
    for (const keys of [this.assigned, this.options])
      for (const key of [...keys.keys()]) if (key.startsWith(`${group} `)) keys.delete(key)
    for (const computer of computers) this.active.delete(`${computer} ${group}`)
  }
}
