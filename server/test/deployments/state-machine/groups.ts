import { type Architecture, kindOf, type Options, operatingSystem, packages, type System, systems } from './packages.ts'

/**
 * The groups of the model, in both trees. Members come and go, and the last group moves. The order of the groups is that of
 * their paths.
 */
export const groups = [
  { tree: 'ConfigurationGroups', parent: null, members: [0, 1] },
  { tree: 'AssignmentGroups', parent: null, members: [1] },
  { tree: 'AssignmentGroups', parent: 1, members: [0] },
] as const

export const computers = [0, 1] as const

export type Target = { computer: number } | { group: number }

/** What an activation is for. PXE covers everything that runs before the operating system, and pull asks for an inventory. */
export type Bits = { software: boolean; pxe: boolean; pull: boolean }
export type Bit = keyof Bits

type AssignedOptions = Options & { isByClass: boolean }

/** Memberships, assignments, their options, and the groups through which they are published. */
export class AssignmentModel {
  readonly members = groups.map(({ members }) => new Set<number>(members))
  readonly parents: (number | null)[] = groups.map(({ parent }) => parent)
  /** Direct assignments of packages. */
  readonly assigned = new Set<string>()
  /** The content of the one software class, and the groups that have it. */
  readonly classContent = new Set<number>()
  readonly classGroups = new Set<number>()
  /** A group has at most one boot image and one edition of the operating system. */
  readonly bootImages: (number | null)[] = groups.map(() => null)
  readonly editions: (number | null)[] = groups.map(() => null)
  /** Options of a package end with the assignment, or the class, through which the group has it. */
  readonly options = new Map<string, AssignedOptions>()
  readonly active = new Map<string, Bits>()
  /** Computers in no group are activated, too, but only for pull it has an effect. */
  readonly pulledWithoutGroup = new Set<number>()
  /** Null until the first inventory, and between the installation of an operating system and the next inventory. */
  readonly running: (System | null)[] = computers.map(() => null)
  readonly architectures: (Architecture | null)[] = computers.map(() => null)
  readonly supportsPxe = computers.map(() => true)

  /** What is unknown about a computer keeps nothing from it. */
  isApplicable(computer: number, one: number): boolean {
    const { kind, systems: names, architecture } = packages[one] ?? {}
    if (kind === 'PreOs' || !kind) return true
    if (kind === 'Software') return !this.running[computer] || !names || names.includes(this.running[computer])
    if (kind === 'LanguagePack')
      return !this.running[computer] || systems[this.running[computer]].architecture === architecture
    return this.supportsPxe[computer] === true && this.isForArchitecture(computer, one)
  }

  /** Whether an operating system or a boot image is for the processor of a computer. */
  isForArchitecture(computer: number, one: number): boolean {
    const { architecture } = packages[one] ?? {}
    return !architecture || (this.architectures[computer] ?? architecture) === architecture
  }

  assign(group: number, one: number) {
    const isNew = !this.assigned.has(`${group} ${one}`)
    if (isNew && this.classContent.has(one) && this.upwards(group).some((above) => this.classGroups.has(above)))
      return 'CoveredBySoftwareClass'
    this.assigned.add(`${group} ${one}`)
    return isNew ? 201 : 200
  }

  setOptions(group: number, one: number | null, options: Options) {
    if (one !== null && !this.isAssignedIn(group, one)) return 'PackageNotAssigned'
    this.storeOptions(group, one, options)
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

  /** Returns whether the computer has another platform now. */
  reportPlatform(computer: number, system: System): boolean {
    const isOther = this.running[computer] !== system
    this.running[computer] = system
    this.architectures[computer] = systems[system].architecture
    return isOther
  }

  /** The group with the nearest assignment. Of boot images and editions, only the nearest one is effective. */
  nearest(computer: number, one: number): number | null {
    if (kindOf(one) === 'PxeBootImage') {
      const boot = this.bootImageOf(computer)
      return boot?.image === one ? boot.group : null
    }
    return this.#nearestGroup(computer, (group) => this.isAssignedIn(group, one))
  }

  bootImageOf(computer: number): { image: number; group: number } | null {
    const group = this.#nearestGroup(computer, (above) => (this.bootImages[above] ?? null) !== null)
    const image = group === null ? null : (this.bootImages[group] ?? null)
    return group === null || image === null ? null : { image, group }
  }

  editionOf(computer: number): { edition: number; group: number } | null {
    const group = this.nearest(computer, operatingSystem)
    const edition = group === null ? null : (this.editions[group] ?? null)
    return group === null || edition === null ? null : { edition, group }
  }

  /** What a computer installs when it boots from the network: the operating system, or else what the boot image contains. */
  systemOf(computer: number) {
    const [boot, edition] = [this.bootImageOf(computer), this.editionOf(computer)]
    if (!boot) return null
    const [one, group] = edition ? [operatingSystem, edition.group] : [boot.image, boot.group]
    return { one, group, image: boot.image, edition: edition?.edition ?? null }
  }

  canBoot(computer: number): boolean {
    const system = this.systemOf(computer)
    return system !== null && this.isApplicable(computer, system.image) && this.isApplicable(computer, system.one)
  }

  optionsIn(group: number, one: number): Options {
    for (const above of this.upwards(group)) {
      const own = this.options.get(`${above} ${one}`) ?? this.options.get(`${above} null`)
      if (own) return { mode: own.mode, offer: own.offer, revokeCount: own.revokeCount }
    }
    return { mode: 'Install', offer: 'Always', revokeCount: 0 }
  }

  groupsOf(computer: number): number[] {
    return [...groups.keys()].filter((group) => this.members[group]?.has(computer))
  }

  isPxeActive(computer: number): boolean {
    return this.activeGroupsOf(computer, 'pxe').length > 0
  }

  activeGroupsOf(computer: number, bit: Bit): number[] {
    return this.groupsOf(computer).filter((own) => this.active.get(`${computer} ${own}`)?.[bit])
  }

  /** Whether one of the groups is the group with the assignment or below it. */
  reaches(ownGroups: readonly number[], group: number): boolean {
    return ownGroups.some((own) => this.upwards(own).includes(group))
  }

  /** Whether any group that is reached through these groups assigns the package. */
  isAssignedThrough(ownGroups: readonly number[], one: number): boolean {
    return ownGroups.some((own) => this.upwards(own).some((group) => this.isAssignedIn(group, one)))
  }

  /** Whether the group itself has the package, directly, by the class, as its edition or as its boot image. */
  protected isAssignedIn(group: number, one: number): boolean {
    if (kindOf(one) === 'PxeBootImage') return this.bootImages[group] === one
    if (kindOf(one) === 'OperatingSystem') return (this.editions[group] ?? null) !== null
    return this.assigned.has(`${group} ${one}`) || (this.classGroups.has(group) && this.classContent.has(one))
  }

  protected storeOptions(group: number, one: number | null, options: Options): void {
    const isByClass = one !== null && !this.assigned.has(`${group} ${one}`)
    this.options.set(`${group} ${one}`, { ...options, isByClass })
  }

  protected endOptionsByClass(group: number, ofPackages: Iterable<number>): void {
    for (const one of ofPackages)
      if (this.options.get(`${group} ${one}`)?.isByClass) this.options.delete(`${group} ${one}`)
  }

  /** Whether the group, or one above it, assigns the package itself. */
  hasDirectly(group: number, one: number): boolean {
    return this.upwards(group).some((above) => this.assigned.has(`${above} ${one}`))
  }

  /** The computers in the group and in those below it. */
  below(group: number): number[] {
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

  /** Sets the bits of activations of memberships. One without a bit has ended. */
  protected setBits(memberships: { computer: number; group: number; bits: Bits }[]): void {
    for (const { computer, group, bits } of memberships) {
      if (bits.software || bits.pxe || bits.pull) this.active.set(`${computer} ${group}`, bits)
      else this.active.delete(`${computer} ${group}`)
    }
  }

  protected bitsOf(computer: number, group: number): Bits {
    return this.active.get(`${computer} ${group}`) ?? { software: false, pxe: false, pull: false }
  }

  protected upwards(group: number): number[] {
    const parent = this.parents[group] ?? null
    return [group, ...(parent === null ? [] : this.upwards(parent))]
  }

  protected clearGroup(group: number): void {
    for (const keys of [this.assigned, this.options])
      for (const key of [...keys.keys()]) if (key.startsWith(`${group} `)) keys.delete(key)
    this.classGroups.delete(group)
    this.bootImages[group] = null
    this.editions[group] = null
    for (const computer of computers) this.active.delete(`${computer} ${group}`)
  }

  #nearestGroup(computer: number, hasAssignment: (group: number) => boolean): number | null {
    const found = this.groupsOf(computer).flatMap((own) =>
      this.upwards(own).flatMap((group, distance) =>
        hasAssignment(group) ? { group, distance, isLater: groups[group]?.tree === 'AssignmentGroups' } : [],
      ),
    )
    const [first] = found.toSorted(
      (a, b) => a.distance - b.distance || Number(a.isLater) - Number(b.isLater) || a.group - b.group,
    )
    return first?.group ?? null
  }
}
