import { AssignmentModel, computers } from './groups.ts'
import { bitOf, nameOf, packages, requiredBy, requirementsOf } from './packages.ts'
import {
  type Cause,
  initialState,
  isOffer,
  isOpen,
  type ModelWorkItem,
  newWorkItem,
  noPackage,
  type Plan,
  type State,
} from './work.ts'

export type Task = { type: string; computer: number | null; workItems: ModelWorkItem[] }

/** A package that comes because an assigned package, the root, requires it. */
type Pulled = { one: number; root: number; group: number }

type EventSubject = Pick<ModelWorkItem, 'computer' | 'package' | 'kind'>

const maxTries = 3

/** What work items are, what justifies them, and what becomes of them. */
export class WorkModel extends AssignmentModel {
  readonly isReady = packages.map(() => true)
  readonly content = packages.map(() => 0)
  readonly runs = computers.map(() => 0)
  readonly workItems: ModelWorkItem[] = []
  readonly tasks: Task[] = []
  /** Events since the last comparison. */
  readonly events = computers.map((): string[] => [])
  protected readonly states = new Map<string, State>()

  state(computer: number, one: number): State {
    const key = `${computer} ${one}`
    const state = this.states.get(key) ?? { ...initialState }
    this.states.set(key, state)
    return state
  }

  open(computer: number): ModelWorkItem[] {
    return this.workItems.filter((item) => item.computer === computer && isOpen(item))
  }

  /** The pending installation of an operating system. */
  installationOf(computer: number): ModelWorkItem | undefined {
    return this.open(computer).find(({ kind }) => kind === 'OperatingSystem')
  }

  /** Cancels what nothing justifies any more, and clears what failed or waits without an assignment or for other computers. */
  protected withdraw(
    affected: readonly number[],
    ofPackages: readonly number[] = [...packages.keys(), noPackage],
  ): number {
    for (const computer of affected) {
      const installation = this.installationOf(computer)
      // An activation for PXE is for one installation.
      if (installation && !this.#isJustified(installation)) this.endPxe(computer)
    }
    const withRequired = [...ofPackages, ...ofPackages.flatMap(requirementsOf)]
    const withdrawn = this.workItems.filter(
      (item) =>
        isOpen(item) &&
        affected.includes(item.computer) &&
        withRequired.includes(item.package) &&
        !this.#isJustified(item),
    )
    for (const item of withdrawn) this.cancel(item)
    for (const computer of new Set(affected))
      for (const one of withRequired)
        if (!this.isApplicable(computer, one) || !this.comesThrough(this.groupsOf(computer), one))
          this.settle(this.state(computer, one))
    return withdrawn.length
  }

  #isJustified({
    computer,
    package: one,
    kind,
    image,
    edition,
    isRequestedReinstall,
    isBrought,
  }: ModelWorkItem): boolean {
    if (kind === 'Power') return true
    if (kind === 'Refresh') return this.isPulled(computer)
    if (!this.isApplicable(computer, one)) return false
    if (kind === 'OperatingSystem') {
      const reached = this.groupsOf(computer).flatMap((own) => this.upwards(own))
      return (
        this.isPxeActive(computer) &&
        this.isApplicable(computer, image ?? 0) &&
        reached.some((group) => this.bootImages[group] === image) &&
        (edition === null || reached.some((group) => this.editions[group] === edition))
      )
    }
    const ownGroups = isRequestedReinstall ? this.groupsOf(computer) : this.activeGroupsOf(computer, bitOf(one))
    return isBrought ? this.comesThrough(ownGroups, one) : this.isAssignedThrough(ownGroups, one)
  }

  /** Whether these groups assign the package, or one that requires it. */
  comesThrough(ownGroups: readonly number[], one: number): boolean {
    const requiring = [...packages.keys()].filter((other) => requirementsOf(other).includes(one))
    return [one, ...requiring].some((other) => this.isAssignedThrough(ownGroups, other))
  }

  /** What assigned packages that are to be installed bring because they require it. */
  pulledTo(computer: number): Pulled[] {
    return [...packages.keys()].flatMap((root) => {
      const group = this.nearest(computer, root)
      if (group === null || !this.isReady[root] || !this.isApplicable(computer, root)) return []
      const { mode } = this.optionsIn(group, root)
      const isAwaited = !mode.includes('Optional') || this.#isTaken(computer, root)
      const one = mode.includes('Uninstall') || !isAwaited ? null : this.#missing(computer, root)
      return one === null ? [] : { one, root, group }
    })
  }

  /** Whether a user has asked for the optional package, and it is not installed yet. */
  #isTaken(computer: number, one: number): boolean {
    return this.open(computer).some(
      (item) => item.package === one && item.kind !== 'Uninstall' && item.attempt > 0 && item.offer !== 'Ended',
    )
  }

  /** The version of a requirement that the computer gets: the highest one that is ready. Null if it has one, or an assignment decides. */
  #missing(computer: number, root: number): number | null {
    const versions = requirementsOf(root).filter((one) => this.isApplicable(computer, one))
    if (this.isInstalled(computer, requiredBy(root) ?? '')) return null
    if (versions.some((one) => this.nearest(computer, one) !== null)) return null
    return versions.findLast((one) => this.isReady[one]) ?? versions.at(-1) ?? null
  }

  protected isPulled(computer: number): boolean {
    return this.pulledWithoutGroup.has(computer) || this.activeGroupsOf(computer, 'pull').length > 0
  }

  /** The computer boots from its disk again. */
  protected endPxe(computer: number): void {
    const groups = this.activeGroupsOf(computer, 'pxe')
    this.setBits(groups.map((group) => ({ computer, group, bits: { ...this.bitsOf(computer, group), pxe: false } })))
  }

  protected settle(state: State): void {
    const isInstalled = state.installation === 'Installed'
    if (state.result === 'Success' || (state.result === null && isInstalled)) return
    Object.assign(state, isInstalled ? { result: null } : initialState)
  }

  protected isInstalled(computer: number, name: string): boolean {
    return packages.some((one, at) => one.name === name && this.state(computer, at).installation === 'Installed')
  }

  protected add(computer: number, one: number, plan: Plan, cause: Cause): ModelWorkItem {
    const item: ModelWorkItem = { ...newWorkItem, ...plan, computer, package: one }
    this.workItems.push(item)
    if (!isOffer(item)) this.setPending(item, cause)
    return item
  }

  protected setPending(item: ModelWorkItem, cause: Cause): void {
    this.state(item.computer, item.package).isPending = true
    this.recordEvent(item, 'Pending', cause)
  }

  protected cancel(item: ModelWorkItem): void {
    item.isReportExpected = item.state === 'Leased'
    this.close(item, 'Cancelled', {})
    this.recordEvent(item, 'Cancelled', 'Cancellation')
  }

  protected close(item: ModelWorkItem, state: ModelWorkItem['state'], change: Partial<State>): void {
    item.state = state
    Object.assign(this.state(item.computer, item.package), { isPending: false, ...change })
  }

  protected succeed(item: ModelWorkItem): void {
    this.setInstalled(item)
    this.close(item, 'Success', { result: 'Success', currentMode: item.mode })
  }

  protected fail(item: ModelWorkItem): void {
    item.failures++
    this.close(item, item.failures < maxTries ? 'Due' : 'Failed', { result: 'Failed' })
    item.isDelayed = item.failures < maxTries
  }

  /** Other versions are replaced. */
  protected setInstalled(item: ModelWorkItem): void {
    const { computer, package: one, kind, content } = item
    const isRemoved = kind === 'Uninstall'
    for (const [other, { name }] of packages.entries()) {
      const state = this.state(computer, other)
      if (isRemoved || other === one || name !== nameOf(one) || state.installation !== 'Installed') continue
      Object.assign(state, { installation: 'NotInstalled', content: null })
      this.recordEvent({ ...item, package: other }, 'Success', 'Dependency')
    }
    Object.assign(
      this.state(computer, one),
      isRemoved ? { installation: 'Uninstalled', content: null } : { installation: 'Installed', content },
    )
  }

  protected failDependents(failed: ModelWorkItem): void {
    const isPendingVersion = (item: ModelWorkItem) =>
      item.kind !== 'Uninstall' && nameOf(item.package) === nameOf(failed.package)
    if (failed.kind === 'Uninstall' || this.isInstalled(failed.computer, nameOf(failed.package))) return
    if (this.open(failed.computer).some(isPendingVersion)) return
    for (const item of this.open(failed.computer)) {
      if (item.kind === 'Uninstall' || requiredBy(item.package) !== nameOf(failed.package)) continue
      item.isReportExpected = item.state === 'Leased'
      this.close(item, 'Failed', { result: 'Failed' })
      this.recordEvent(item, 'Failed', 'Dependency')
    }
  }

  protected recordEvent({ computer, package: one, kind }: EventSubject, result: string, cause: Cause): void {
    const { name, version } = packages[one] ?? {}
    if (name) this.events[computer]?.push(`${name} ${version}: ${result} ${cause} ${kind}`)
  }
}
