import { AssignmentModel, computers, nameOf, packages, requiredBy } from './state-machine-groups.ts'
import {
  type Cause,
  initialState,
  isOpen,
  type Kind,
  type ModelWorkItem,
  newWorkItem,
  type State,
} from './state-machine-work.ts'

export type Task = { type: string; computer: number | null; workItems: ModelWorkItem[] }

const maxTries = 3

/** What work items are, and what becomes of them. */
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

  /** Cancels what nothing justifies any more, and clears what failed or waits without an assignment or for other systems. */
  protected withdraw(affected: readonly number[], ofPackages: readonly number[] = [...packages.keys()]): number {
    const withdrawn = this.workItems.filter(
      (item) =>
        isOpen(item) &&
        affected.includes(item.computer) &&
        ofPackages.includes(item.package) &&
        !(
          this.isApplicable(item.computer, item.package) &&
          this.isAssignedThrough(
            item.isRequestedReinstall ? this.groupsOf(item.computer) : this.activeGroupsOf(item.computer),
            item.package,
          )
        ),
    )
    for (const item of withdrawn) this.cancel(item)
    for (const computer of new Set(affected))
      for (const one of ofPackages)
        if (!this.isApplicable(computer, one) || !this.isAssignedThrough(this.groupsOf(computer), one))
          this.settle(this.state(computer, one))
    return withdrawn.length
  }

  protected settle(state: State): void {
    const isInstalled = state.installation === 'Installed'
    if (state.result === 'Success' || (state.result === null && isInstalled)) return
    Object.assign(state, isInstalled ? { result: null } : initialState)
  }

  protected open(computer: number): ModelWorkItem[] {
    return this.workItems.filter((item) => item.computer === computer && isOpen(item))
  }

  protected isInstalled(computer: number, name: string): boolean {
    return packages.some((one, at) => one.name === name && this.state(computer, at).installation === 'Installed')
  }

  protected add(computer: number, one: number, kind: Kind, mode: string, group: number, cause: Cause): ModelWorkItem {
    const item: ModelWorkItem = { ...newWorkItem, computer, package: one, kind, mode, group }
    this.workItems.push(item)
    this.state(computer, one).isPending = true
    this.recordEvent(item, 'Pending', cause)
    return item
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

  protected recordEvent({ computer, package: one, kind }: ModelWorkItem, result: string, cause: Cause): void {
    const { name, version } = packages[one] ?? { name: '', version: '' }
    this.events[computer]?.push(`${name} ${version}: ${result} ${cause} ${kind}`)
  }
}
