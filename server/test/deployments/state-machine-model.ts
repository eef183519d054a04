import { nameOf, packages, requiredBy, type System, type Target } from './state-machine-groups.ts'
import { type Task, WorkModel } from './state-machine-items.ts'
import { type Cause, isOpen, type Kind, type ModelWorkItem } from './state-machine-work.ts'

export type Report = { status: 'Success' | 'Failed'; installationState: 'NotInstalled' | null }

/** The documented rules of deployments in their simplest form. Every method returns what the API must answer. */
export class DeploymentModel extends WorkModel {
  activate(target: Target, isGlobal: boolean) {
    const scope = this.scope(target, isGlobal)
    return this.#publish(
      scope,
      { type: 'Activation', computer: 'computer' in target ? target.computer : null },
      'Activation',
    )
  }

  deactivate(target: Target, isGlobal: boolean) {
    const scope = this.scope(target, isGlobal)
    if ('computer' in target && scope.length === 0) return 'ComputerNotGroupAssigned'
    for (const { computer, group } of scope) this.active.delete(`${computer} ${group}`)
    return this.withdraw(scope.map(({ computer }) => computer))
  }

  unassign(group: number, one: number) {
    if (!this.assigned.delete(`${group} ${one}`)) return 'PackageNotAssigned'
    if (!this.options.get(`${group} ${one}`)?.isByClass) this.options.delete(`${group} ${one}`)
    this.withdraw(this.below(group), [one])
    return 204
  }

  unassignClass(group: number) {
    if (!this.classGroups.delete(group)) return 'SoftwareClassNotAssigned'
    this.endOptionsByClass(group, this.classContent)
    this.withdraw(this.below(group), [...this.classContent])
    return 204
  }

  /** Replaces the content of the class. */
  setClass(content: readonly number[]) {
    const removed = [...this.classContent].filter((one) => !content.includes(one))
    const isChanged = removed.length > 0 || content.some((one) => !this.classContent.has(one))
    for (const one of removed) this.classContent.delete(one)
    for (const one of content) this.classContent.add(one)
    for (const group of this.classGroups) this.endOptionsByClass(group, removed)
    if (isChanged) this.withdraw([...this.classGroups].flatMap((group) => this.below(group)))
    return 200
  }

  leave(computer: number, group: number) {
    if (!this.members[group]?.delete(computer)) return 'NotMember'
    this.active.delete(`${computer} ${group}`)
    this.withdraw([computer])
    return 'Removed'
  }

  /** Moves the last group below another one, or to the root of its tree. */
  move(parent: number | null) {
    const moved = this.parents.length - 1
    this.parents[moved] = parent
    this.withdraw(this.below(moved))
    return 200
  }

  reportSystem(computer: number, system: System) {
    if (this.running[computer] !== system) {
      this.running[computer] = system
      this.withdraw([computer])
    }
    return 204
  }

  uninstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (this.state(computer, one).installation !== 'Installed') return 'PackageNotInstalled'
    if (this.open(computer).some((item) => item.package === one && item.kind === 'Uninstall'))
      return 'UninstallAlreadyPending'
    if (this.modeIn(group, one) !== 'Uninstall') this.storeOptions(group, one, 'Uninstall')
    for (const item of this.open(computer)) if (item.package === one) this.cancel(item)
    this.#publish(this.scope({ computer }, true), { type: 'Uninstall', computer }, 'Request')
    return group
  }

  reinstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (!this.isApplicable(computer, one)) return 'PackageNotApplicable'
    if (this.reinstallOf(computer, one)) return 'ReinstallAlreadyPending'
    for (const item of this.open(computer)) if (item.package === one) this.cancel(item)
    const item = this.add(computer, one, 'Reinstall', 'Reinstall, Force', group, 'Request')
    item.isRequestedReinstall = true
    this.tasks.push({ type: 'Reinstall', computer, workItems: [item] })
    return group
  }

  cancelReinstall(computer: number, one: number) {
    const item = this.reinstallOf(computer, one)
    if (!item) return 'ReinstallGroupNotFound'
    this.cancel(item)
    return 200
  }

  /** Deletes the group and creates one with the same members. */
  replaceGroup(group: number) {
    const members = new Set(this.members[group])
    this.clearGroup(group)
    for (const item of this.workItems.filter((one) => one.group === group)) {
      if (isOpen(item) && item.isRequestedReinstall) this.cancel(item)
      item.group = null
    }
    this.members[group]?.clear()
    this.withdraw([...members])
    for (const member of members) this.members[group]?.add(member)
    return 204
  }

  /** The leased work items, in the order of execution. */
  contact(computer: number, { isNewRun, hasNoLeasedWork }: { isNewRun: boolean; hasNoLeasedWork: boolean }) {
    if (isNewRun) this.runs[computer] = (this.runs[computer] ?? 0) + 1
    const run = this.runs[computer] ?? 0
    const isLost = (item: ModelWorkItem) => item.run !== run || (hasNoLeasedWork && !item.isStarted)
    const isDue = (item: ModelWorkItem) =>
      !item.isDelayed && (item.state === 'Due' || item.isLeaseExpired || isLost(item))
    const leased = this.open(computer).filter(
      (item) => isDue(item) && this.isReady[item.package] && this.#isNextInOrder(item),
    )
    const uninstalls = leased.filter(({ kind }) => kind === 'Uninstall')
    for (const item of leased)
      Object.assign(item, {
        state: 'Leased',
        run,
        isStarted: false,
        isLeaseExpired: false,
        attempt: item.attempt + 1,
        content: this.content[item.package],
      })
    return [...uninstalls, ...leased.filter((item) => !uninstalls.includes(item))]
  }

  start(item: ModelWorkItem, attempt: number) {
    if (item.state !== 'Leased' || item.attempt !== attempt) return 'WorkNotHeld'
    if (!item.isStarted) this.recordEvent(item, 'Running', 'Report')
    const run = this.runs[item.computer]
    Object.assign(item, { isStarted: true, isLeaseExpired: false, run, content: this.content[item.package] })
    return 200
  }

  report(item: ModelWorkItem, attempt: number, report: Report) {
    const isExpected = item.state === 'Leased' || item.isReportExpected
    if (!isExpected || item.attempt !== attempt) return { accepted: false }
    const state = this.state(item.computer, item.package)
    const isFact = item.isReportExpected
    item.isReportExpected = false
    if (report.status === 'Success') {
      this.setInstalled(item)
      if (!isFact) this.close(item, 'Success', { result: 'Success', currentMode: item.mode })
    } else {
      if (report.installationState) Object.assign(state, { installation: report.installationState, content: null })
      if (!isFact) this.fail(item)
    }
    this.recordEvent(item, report.status, 'Report')
    if (!isFact && item.state === 'Failed') this.failDependents(item)
    return { accepted: true }
  }

  expireLeases(computer: number): void {
    for (const item of this.open(computer)) if (item.state === 'Leased') item.isLeaseExpired = true
  }

  endRetryDelays(computer: number): void {
    for (const item of this.open(computer)) item.isDelayed = false
  }

  reinstallOf(computer: number, one: number): ModelWorkItem | undefined {
    return this.open(computer).find((item) => item.package === one && item.isRequestedReinstall)
  }

  #publish(scope: { computer: number; group: number }[], task: Omit<Task, 'workItems'>, cause: Cause) {
    for (const { computer, group } of scope) this.active.add(`${computer} ${group}`)
    const added = [...new Set(scope.map(({ computer }) => computer))].flatMap((computer) =>
      this.#compile(
        computer,
        scope.filter((one) => one.computer === computer).map(({ group }) => group),
        cause,
      ),
    )
    if (added.length > 0) this.tasks.push({ ...task, workItems: added })
    return added.length > 0
  }

  /** Creates and changes what the groups of the scope assign. What other groups assign stays as it was published. */
  #compile(computer: number, scope: readonly number[], cause: Cause): ModelWorkItem[] {
    const due = packages.flatMap((_, one) => {
      const group = this.nearest(computer, one)
      if (group === null || !this.isApplicable(computer, one)) return []
      if (!this.reaches(this.activeGroupsOf(computer), group)) return []
      const mode = this.modeIn(group, one)
      const kind = this.#kindOf(computer, one, mode)
      return kind ? { one, group, mode, kind } : []
    })
    for (const item of this.open(computer).filter((open) => open.state === 'Due' && !open.isRequestedReinstall)) {
      const still = due.find(({ one }) => one === item.package)
      if (still && !this.reaches(scope, still.group)) continue
      if (still?.kind === item.kind) Object.assign(item, { group: still.group, mode: still.mode })
      else this.cancel(item)
    }
    return due.flatMap(({ one, group, mode, kind }) =>
      !this.reaches(scope, group) || this.open(computer).some((item) => item.package === one)
        ? []
        : this.add(computer, one, kind, mode, group, cause),
    )
  }

  #kindOf(computer: number, one: number, mode: string): Kind | undefined {
    const own = this.state(computer, one)
    const isInstalled = own.installation === 'Installed'
    if (mode === 'Reinstall') return 'Reinstall'
    if (mode === 'Uninstall') return isInstalled ? 'Uninstall' : undefined
    if (isInstalled) return mode.includes('Update') && own.content !== this.content[one] ? 'Update' : undefined
    if (this.isInstalled(computer, nameOf(one))) return 'Update'
    return mode.includes('Install') ? 'Install' : undefined
  }

  #isNextInOrder(item: ModelWorkItem): boolean {
    if (item.kind === 'Uninstall')
      return !this.open(item.computer).some(
        (other) => other.kind === 'Uninstall' && requiredBy(other.package) === nameOf(item.package),
      )
    const required = requiredBy(item.package)
    return required === null || this.isInstalled(item.computer, required)
  }
}
