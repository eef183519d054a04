import { type Bit, type Bits, computers, type Target } from './groups.ts'
import { type Task, WorkModel } from './items.ts'
import { bitOf, isOptional, kindOf, nameOf, packages, withAction } from './packages.ts'
import { type Cause, isOffer, type Kind, type ModelWorkItem, noPackage, type Plan } from './work.ts'

/** What is requested at once, and users cannot postpone. */
export const requested = { offer: 'Always', revokeCount: 0, image: null, edition: null, isBrought: false } as const

type Due = Plan & { one: number; group: number }

/** Activations, and the work that they create. */
export class PublishingModel extends WorkModel {
  activate(target: Target, isGlobal: boolean, bits: Bits): boolean | string {
    const scope = this.scope(target, isGlobal)
    const reached = this.computersOf(target)
    if (bits.pxe && reached.length > 0) {
      if (!reached.some((computer) => this.bootImageOf(computer))) return 'NoPxeBootImageAssigned'
      if (!reached.some((computer) => this.canBoot(computer))) return 'PxeNotApplicable'
    }
    const task = { type: 'Activation', computer: 'computer' in target ? target.computer : null }
    for (const computer of bits.pull ? reached : [])
      if (this.groupsOf(computer).length === 0) this.pulledWithoutGroup.add(computer)
    return this.publish(scope, bits, task, 'Activation', bits.pull ? reached : [])
  }

  deactivate(target: Target, isGlobal: boolean, cleared: Bits) {
    const scope = this.scope(target, isGlobal)
    if ('computer' in target && scope.length === 0) return 'ComputerNotGroupAssigned'
    this.setBits(
      scope.map(({ computer, group }) => {
        const { software, pxe, pull } = this.bitsOf(computer, group)
        const bits = { software: software && !cleared.software, pxe: pxe && !cleared.pxe, pull: pull && !cleared.pull }
        return { computer, group, bits }
      }),
    )
    if (isGlobal && cleared.pull) for (const { computer } of scope) this.pulledWithoutGroup.delete(computer)
    return this.withdraw(scope.map(({ computer }) => computer))
  }

  protected computersOf(target: Target): number[] {
    return 'computer' in target ? [target.computer] : this.below(target.group)
  }

  protected publish(
    scope: { computer: number; group: number }[],
    bits: Bits,
    task: Omit<Task, 'workItems'>,
    cause: Cause,
    pulled: readonly number[] = [],
  ): boolean {
    this.setBits(
      scope.map(({ computer, group }) => {
        const { software, pxe, pull } = this.bitsOf(computer, group)
        const boots = bits.pxe && this.canBoot(computer)
        const added = { software: software || bits.software, pxe: pxe || boots, pull: pull || bits.pull }
        return { computer, group, bits: added }
      }),
    )
    const refreshes = pulled
      .filter((computer) => !this.open(computer).some(({ kind }) => kind === 'Refresh'))
      .map((computer) => this.add(computer, noPackage, { ...requested, kind: 'Refresh', mode: '', group: null }, cause))
    const compiled = computers.flatMap((computer) => {
      const groups = scope.filter((one) => one.computer === computer).map(({ group }) => group)
      return (['software', 'pxe'] as const).flatMap((bit) =>
        bits[bit] && groups.length > 0 ? this.#compile(computer, groups, bit, cause) : [],
      )
    })
    const added = [...refreshes, ...compiled]
    if (added.length > 0) this.tasks.push({ ...task, workItems: added })
    return added.length > 0
  }

  /** What is to be done through the groups for which the computer is activated. */
  dueOn(computer: number, bit: Bit): Due[] {
    const active = this.activeGroupsOf(computer, bit)
    const ofPackages = packages.flatMap((_, one): Due[] => {
      const group = this.nearest(computer, one)
      if (group === null || kindOf(one) === 'OperatingSystem' || kindOf(one) === 'PxeBootImage') return []
      if (bitOf(one) !== bit) return []
      if (!this.isApplicable(computer, one) || !this.reaches(active, group)) return []
      const options = this.optionsIn(group, one)
      const kind =
        isOptional(options.mode) && options.offer === 'Ended' ? null : this.#kindOf(computer, one, options.mode)
      return kind ? [{ ...requested, one, group, kind, ...options }] : []
    })
    if (bit === 'software') ofPackages.unshift(...this.#pulledOn(computer, active))
    const system = bit === 'pxe' && active.length > 0 && this.canBoot(computer) ? this.systemOf(computer) : null
    if (!system) return ofPackages
    const options = this.optionsIn(system.group, system.one)
    return [
      ...ofPackages,
      { ...requested, ...system, kind: 'OperatingSystem', ...options, mode: this.systemMode(system) },
    ]
  }

  /** What is pulled in comes as the package that requires it. Users are not asked for it. */
  #pulledOn(computer: number, active: readonly number[]): Due[] {
    return this.pulledTo(computer)
      .filter(({ group }) => this.reaches(active, group))
      .map(({ one, root, group }) => {
        const { revokeCount } = this.optionsIn(group, root)
        return { ...requested, one, group, kind: 'Install', mode: 'Install', revokeCount, isBrought: true }
      })
  }

  /** An operating system is installed when the computer boots, without asking a user. */
  systemMode({ group, one }: { group: number; one: number }): string {
    return withAction('Install', this.optionsIn(group, one).mode).replace(', Optional', '')
  }

  /**
   * Creates and changes what the groups of the scope assign. What other groups assign stays as it was published. A computer
   * has one operating system, through whichever group.
   */
  #compile(computer: number, scope: readonly number[], bit: Bit, cause: Cause): ModelWorkItem[] {
    const due = this.dueOn(computer, bit)
    for (const item of this.open(computer).filter((open) => open.state === 'Due' && !open.isRequestedReinstall)) {
      if (bitOf(item.package) !== bit || item.package === noPackage) continue
      const still = due.find(({ one }) => one === item.package)
      if (still && !this.reaches(scope, still.group)) continue
      if (still?.kind === item.kind && still.image === item.image && still.edition === item.edition)
        this.#revise(item, still)
      else this.cancel(item)
    }
    const isPublished = this.activeGroupsOf(computer, bit).some((group) => scope.includes(group))
    // What was revised may bring something else.
    return this.dueOn(computer, bit).flatMap(({ one, ...plan }) =>
      !isPublished ||
      !(plan.kind === 'OperatingSystem' || this.reaches(scope, plan.group)) ||
      this.open(computer).some((item) => item.package === one)
        ? []
        : this.add(computer, one, plan, cause),
    )
  }

  #revise(item: ModelWorkItem, { group, mode, offer, revokeCount, isBrought }: Due): void {
    const wasOffer = isOffer(item)
    Object.assign(item, { group, mode, offer, revokeCount, isBrought })
    if (isOffer(item) !== wasOffer) this.state(item.computer, item.package).isPending = wasOffer
  }

  #kindOf(computer: number, one: number, mode: string): Kind | null {
    const own = this.state(computer, one)
    const isInstalled = own.installation === 'Installed'
    if (mode.includes('Reinstall')) return 'Reinstall'
    if (mode.includes('Uninstall')) return isInstalled ? 'Uninstall' : null
    if (isInstalled) return mode.includes('Update') && own.content !== this.content[one] ? 'Update' : null
    if (this.isInstalled(computer, nameOf(one))) return 'Update'
    return mode.includes('Install') ? 'Install' : null
  }
}
