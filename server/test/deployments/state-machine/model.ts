import { AgentModel } from './agents.ts'
import { kindOf, type System, withAction } from './packages.ts'
import { requested } from './publishing.ts'
import { isOpen, type ModelWorkItem, noPackage } from './work.ts'

/** The documented rules of deployments in their simplest form. Every method returns what the API must answer. */
export class DeploymentModel extends AgentModel {
  unassign(group: number, one: number) {
    if (!this.assigned.delete(`${group} ${one}`))
      return kindOf(one) === 'LanguagePack' ? 'LanguagePackNotAssigned' : 'PackageNotAssigned'
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

  assignBootImage(group: number, image: number) {
    return this.#assignSingle(this.bootImages, group, image)
  }

  unassignBootImage(group: number, image: number) {
    return this.#unassignSingle(this.bootImages, group, image) ? 204 : 'PxeBootImageNotAssigned'
  }

  assignEdition(group: number, edition: number) {
    return this.#assignSingle(this.editions, group, edition)
  }

  unassignEdition(group: number, edition: number) {
    return this.#unassignSingle(this.editions, group, edition) ? 204 : 'OsImageSkuNotAssigned'
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
    if (this.reportPlatform(computer, system)) this.withdraw([computer])
    return 204
  }

  setPxeSupport(computer: number, isSupported: boolean) {
    this.supportsPxe[computer] = isSupported
    if (!isSupported) this.withdraw([computer])
    return 200
  }

  uninstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (this.state(computer, one).installation !== 'Installed') return 'PackageNotInstalled'
    if (this.open(computer).some((item) => item.package === one && item.kind === 'Uninstall'))
      return 'UninstallAlreadyPending'
    const options = this.optionsIn(group, one)
    if (!options.mode.includes('Uninstall'))
      this.storeOptions(group, one, { ...options, mode: withAction('Uninstall', options.mode) })
    for (const item of this.open(computer)) if (item.package === one) this.cancel(item)
    const task = { type: 'Uninstall', computer }
    this.publish(this.scope({ computer }, true), { software: true, pxe: false, pull: false }, task, 'Request')
    return group
  }

  reinstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (!this.isApplicable(computer, one)) return 'PackageNotApplicable'
    if (this.reinstallOf(computer, one)) return 'ReinstallAlreadyPending'
    for (const item of this.open(computer)) if (item.package === one) this.cancel(item)
    const item = this.add(
      computer,
      one,
      { ...requested, kind: 'Reinstall', mode: 'Reinstall, Force', group },
      'Request',
    )
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

  /** A computer has one request at a time. */
  reboot(computer: number) {
    if (this.groupsOf(computer).length === 0) return 'ComputerNotGroupAssigned'
    if (this.open(computer).some(({ kind }) => kind === 'Power')) return 200
    const item = this.add(computer, noPackage, { ...requested, kind: 'Power', mode: '', group: null }, 'Request')
    this.tasks.push({ type: 'Reboot', computer, workItems: [item] })
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

  reinstallOf(computer: number, one: number): ModelWorkItem | undefined {
    return this.open(computer).find((item) => item.package === one && item.isRequestedReinstall)
  }

  /** Another object that the group had is replaced. */
  #assignSingle(assignments: (number | null)[], group: number, object: number) {
    if (assignments[group] === object) return 200
    assignments[group] = object
    this.withdraw(this.below(group))
    return 201
  }

  #unassignSingle(assignments: (number | null)[], group: number, object: number): boolean {
    if (assignments[group] !== object) return false
    assignments[group] = null
    this.withdraw(this.below(group))
    return true
  }
}
