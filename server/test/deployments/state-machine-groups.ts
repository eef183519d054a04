/**
 * The world of the model: groups of both trees, two versions of one package, and one that requires it. Members come and go,
 * and the last group moves. The order of the groups is that of their paths. Some packages are not for all systems.
 */
export const groups = [
  { tree: 'ConfigurationGroups', parent: null, members: [0, 1] },
  { tree: 'AssignmentGroups', parent: null, members: [1] },
  { tree: 'AssignmentGroups', parent: 1, members: [0] },
] as const

export const packages = [
  { name: 'editor', version: '1', requires: null, systems: [] },
  { name: 'editor', version: '2', requires: null, systems: ['Windows'] },
  { name: 'plugin', version: '1', requires: 'editor', systems: ['Linux', 'Windows 10'] },
] as const

/** What computers can run, by the name that packages use for it. */
export const systems = {
  Windows: { platform: 'Windows', osName: 'Windows 11' },
  Linux: { platform: 'Linux', osName: 'Debian GNU/Linux' },
} as const

export type System = keyof typeof systems

export const computers = [0, 1] as const
export const modes = ['Install', 'Update', 'Install, Update', 'Uninstall', 'Reinstall'] as const

export type Target = { computer: number } | { group: number }

export const nameOf = (one: number) => packages[one]?.name ?? ''
export const requiredBy = (one: number) => packages[one]?.requires ?? null

/** Memberships, assignments, their options, and the groups through which they are published. */
export class AssignmentModel {
  readonly members = groups.map(({ members }) => new Set<number>(members))
  readonly parents: (number | null)[] = groups.map(({ parent }) => parent)
  /** Direct assignments of packages. */
  readonly assigned = new Set<string>()
  /** The content of the one software class, and the groups that have it. */
  readonly classContent = new Set<number>()
  readonly classGroups = new Set<number>()
  /** Options of a package end with the assignment, or the class, through which the group has it. */
  readonly options = new Map<string, { mode: string; isByClass: boolean }>()
  readonly active = new Set<string>()
  /** Null until the first inventory. */
  readonly running: (System | null)[] = computers.map(() => null)

  isApplicable(computer: number, one: number): boolean {
    const [system, names] = [this.running[computer] ?? null, packages[one]?.systems ?? []]
    return system === null || names.length === 0 || names.some((name) => name === system)
  }

  assign(group: number, one: number) {
    const isNew = !this.assigned.has(`${group} ${one}`)
    if (isNew && this.classContent.has(one) && this.upwards(group).some((above) => this.classGroups.has(above)))
      return 'CoveredBySoftwareClass'
    this.assigned.add(`${group} ${one}`)
    return isNew ? 201 : 200
  }

  setOptions(group: number, one: number | null, mode: string) {
    if (one !== null && !this.isAssignedIn(group, one)) return 'PackageNotAssigned'
    this.storeOptions(group, one, mode)
    return 200
  }

  assignClass(group: number) {
    const isNew = !this.classGroups.has(group)
    this.classGroups.add(group)
    return isNew ? 201 : 200
  }

  join(computer: number, group: number) {
    const isNew = !this.members[group]?.has(computer)
    this.members[group]?.add(computer)
    return isNew ? 'Added' : 'AlreadyMember'
  }

  /** The group with the nearest assignment. */
  nearest(computer: number, one: number): number | null {
    const found = this.groupsOf(computer).flatMap((own) =>
      this.upwards(own).flatMap((group, distance) =>
        this.isAssignedIn(group, one) ? { group, distance, isLater: groups[group]?.tree === 'AssignmentGroups' } : [],
      ),
    )
    const [first] = found.toSorted(
      (a, b) => a.distance - b.distance || Number(a.isLater) - Number(b.isLater) || a.group - b.group,
    )
    return first?.group ?? null
  }

  modeIn(group: number, one: number): string {
    for (const above of this.upwards(group)) {
      const own = this.options.get(`${above} ${one}`) ?? this.options.get(`${above} null`)
      if (own) return own.mode
    }
    return 'Install'
  }

  groupsOf(computer: number): number[] {
    return [...groups.keys()].filter((group) => this.members[group]?.has(computer))
  }

  /** Whether the group itself has the package, directly or by the class. */
  protected isAssignedIn(group: number, one: number): boolean {
    return this.assigned.has(`${group} ${one}`) || (this.classGroups.has(group) && this.classContent.has(one))
  }

  protected storeOptions(group: number, one: number | null, mode: string): void {
    const isByClass = one !== null && !this.assigned.has(`${group} ${one}`)
    this.options.set(`${group} ${one}`, { mode, isByClass })
  }

  protected endOptionsByClass(group: number, ofPackages: Iterable<number>): void {
    for (const one of ofPackages)
      if (this.options.get(`${group} ${one}`)?.isByClass) this.options.delete(`${group} ${one}`)
  }

  /** The computers in the group and in those below it. */
  protected below(group: number): number[] {
    return computers.filter((computer) => this.groupsOf(computer).some((own) => this.upwards(own).includes(group)))
  }

  protected scope(target: Target, isGlobal: boolean): { computer: number; group: number }[] {
    const all = computers.flatMap((computer) => this.groupsOf(computer).map((group) => ({ computer, group })))
    // The configuration group is the first of them.
    if ('computer' in target)
      return all.filter(({ computer }) => computer === target.computer).slice(0, isGlobal ? undefined : 1)
    const inside = all.filter(({ group }) => this.upwards(group).includes(target.group))
    return isGlobal ? all.filter((one) => inside.some(({ computer }) => computer === one.computer)) : inside
  }

  /** Whether one of the groups is the group with the assignment or below it. */
  protected reaches(ownGroups: readonly number[], group: number): boolean {
    return ownGroups.some((own) => this.upwards(own).includes(group))
  }

  protected activeGroupsOf(computer: number): number[] {
    return this.groupsOf(computer).filter((own) => this.active.has(`${computer} ${own}`))
  }

  /** Whether any group that is reached through these groups assigns the package. */
  protected isAssignedThrough(ownGroups: readonly number[], one: number): boolean {
    return ownGroups.some((own) => this.upwards(own).some((group) => this.isAssignedIn(group, one)))
  }

  protected upwards(group: number): number[] {
    const parent = this.parents[group] ?? null
    return [group, ...(parent === null ? [] : this.upwards(parent))]
  }

  protected clearGroup(group: number): void {
    for (const keys of [this.assigned, this.options])
      for (const key of [...keys.keys()]) if (key.startsWith(`${group} `)) keys.delete(key)
    this.classGroups.delete(group)
    for (const computer of computers) this.active.delete(`${computer} ${group}`)
  }
}
