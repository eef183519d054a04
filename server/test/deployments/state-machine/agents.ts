import { BootModel } from './boot.ts'
import { isOptional, kindOf, nameOf, requiredBy, requirementsOf } from './packages.ts'
import { isOffer, isOpen, type ModelWorkItem, noPackage } from './work.ts'

export type Report = { status: 'Success' | 'Failed'; installationState: 'NotInstalled' | null }

export type Contact = {
  isNewRun: boolean
  hasNoLeasedWork: boolean
  /** Whether the agent runs before the operating system. */
  isPreOs: boolean
  /** The optional packages that the user has requested. */
  wants: readonly number[]
}

/** What agents ask and report, and what time does to the work that they have. */
export class AgentModel extends BootModel {
  /** The leased work items in the order of execution, and the packages that the user may request. */
  contact(computer: number, { isNewRun, hasNoLeasedWork, isPreOs, wants }: Contact) {
    if (isNewRun) this.runs[computer] = (this.runs[computer] ?? 0) + 1
    const run = this.runs[computer] ?? 0
    this.#takeOffers(computer, isPreOs, wants)
    const isLost = (item: ModelWorkItem) => item.run !== run || (hasNoLeasedWork && !item.isStarted)
    const isDue = (item: ModelWorkItem) =>
      !item.isDelayed && (item.state === 'Due' || item.isLeaseExpired || isLost(item))
    const ready = this.open(computer).filter(
      (item) =>
        item.kind !== 'OperatingSystem' &&
        isDue(item) &&
        (item.package === noPackage || this.isReady[item.package]) &&
        (isOffer(item) || this.#isNextInOrder(item)) &&
        (kindOf(item.package) === 'PreOs') === isPreOs &&
        !(isOptional(item.mode) && item.offer === 'Ended'),
    )
    const isWanted = (item: ModelWorkItem) => !isOffer(item) || wants.includes(item.package)
    const reboot = ready.find(({ kind }) => kind === 'Power')
    const isLeasedNow = (item: ModelWorkItem) => item.state === 'Leased' && !item.isLeaseExpired && !isLost(item)
    // A reboot is leased alone, and before everything else.
    const others = this.open(computer).filter((item) => item !== reboot)
    const leased = reboot ? (others.some(isLeasedNow) ? [] : [reboot]) : ready.filter(isWanted)
    for (const item of leased) {
      if (isOffer(item)) this.setPending(item, 'Request')
      Object.assign(item, {
        state: 'Leased',
        run,
        isStarted: false,
        isLeaseExpired: false,
        attempt: item.attempt + 1,
        content: this.content[item.package],
      })
    }
    const rank = ({ kind }: ModelWorkItem) => (kind === 'Uninstall' ? 0 : kind === 'Refresh' ? 2 : 1)
    return {
      leased: leased.toSorted((a, b) => rank(a) - rank(b)),
      offers: ready.filter((item) => !isWanted(item)).map((item) => item.package),
    }
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
      if (isFact) this.setInstalled(item)
      else this.succeed(item)
    } else {
      if (report.installationState) Object.assign(state, { installation: report.installationState, content: null })
      if (!isFact) this.fail(item)
    }
    this.recordEvent(item, report.status, 'Report')
    if (!isFact && item.state === 'Failed') this.failDependents(item)
    return { accepted: true }
  }

  /** The user postpones work that the agent has. Returns how often this is possible again. */
  postpone(item: ModelWorkItem, attempt: number) {
    if (item.state !== 'Leased' || item.attempt !== attempt) return 'WorkNotHeld'
    const remaining = item.mode.includes('Force') ? 0 : Math.max(0, item.revokeCount - item.postponements)
    if (remaining === 0) return 'NotPostponable'
    item.postponements++
    Object.assign(item, { state: 'Due', isDelayed: true, isStarted: false, isLeaseExpired: false })
    return remaining - 1
  }

  expireLeases(computer: number): void {
    for (const item of this.open(computer)) if (item.state === 'Leased') item.isLeaseExpired = true
  }

  endRetryDelays(computer: number): void {
    for (const item of this.open(computer)) item.isDelayed = false
  }

  /** The last dates of all offers pass. */
  passOfferDates(): void {
    for (const one of [...this.options.values(), ...this.workItems]) if (one.offer === 'UntilDate') one.offer = 'Ended'
  }

  /** Cancels offers after their last date. What an agent has now is left to it. */
  endOffers(): void {
    const isWithAgent = (item: ModelWorkItem) => item.state === 'Leased' && !item.isLeaseExpired
    for (const item of this.workItems)
      if (isOpen(item) && isOptional(item.mode) && item.offer === 'Ended' && !isWithAgent(item)) {
        this.cancel(item)
        if (item.attempt === 0) continue
        const brought = this.open(item.computer).filter(
          (one) => one.isBrought && requirementsOf(item.package).includes(one.package) && !isWithAgent(one),
        )
        for (const one of brought) this.cancel(one)
      }
  }

  /** What waits for nothing but a requirement is taken at once, and brings it. */
  #takeOffers(computer: number, isPreOs: boolean, wants: readonly number[]): void {
    for (const item of this.open(computer)) {
      const isReady =
        this.isReady[item.package] && item.offer !== 'Ended' && (kindOf(item.package) === 'PreOs') === isPreOs
      if (!isOffer(item) || !isReady || !wants.includes(item.package) || this.#isNextInOrder(item)) continue
      item.attempt++
      this.setPending(item, 'Request')
      const task = this.tasks.find(({ workItems }) => workItems.includes(item))
      for (const { one, ...plan } of this.dueOn(computer, 'software')) {
        const isMissing = plan.isBrought && requirementsOf(item.package).includes(one)
        if (isMissing && !this.open(computer).some((open) => open.package === one))
          task?.workItems.push(this.add(computer, one, plan, 'Request'))
      }
    }
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
