import { type Bits, computers, type Target } from './groups.ts'
import { editions, kindOf, languagePacks, operatingSystem, packages } from './packages.ts'
import { PublishingModel } from './publishing.ts'
import { isOpen, type ModelWorkItem, noPackage } from './work.ts'

export type EndOfInstallation = 'Success' | 'Failed'

/** What an installer reports: how it ended, how the packages ended that ran before it, and what it installed with it. */
export type InstallerReport = {
  status: EndOfInstallation
  preOs: EndOfInstallation | null
  /** The language packs that it has installed. */
  languages: readonly number[]
}

/** What an address may do for an installation, and what the installer reported with it. */
type Grant = { item: ModelWorkItem; hasEnrolled: boolean; report: InstallerReport | null }

/** What the computer got when it last booted from the network. */
type Boot = { grant: Grant; image: number; edition: number | null }

/**
 * Computers that boot from the network, and their installers. All have an agent, so what an installer reports counts when
 * an agent enrols, or when a person says so.
 */
export class BootModel extends PublishingModel {
  readonly #grants: (Grant | null)[] = computers.map(() => null)
  readonly #boots: (Boot | null)[] = computers.map(() => null)

  /** A computer whose installer has reported is installed again if it is activated again. */
  override activate(target: Target, isGlobal: boolean, bits: Bits) {
    const outcome = super.activate(target, isGlobal, bits)
    if (bits.pxe && typeof outcome !== 'string')
      for (const computer of this.computersOf(target)) if (this.#grants[computer]?.report) this.#grants[computer] = null
    return outcome
  }

  /** The boot image and the edition of the boot script; null for the script that boots from the disk. */
  boot(computer: number): { image: string; edition: string | null } | null {
    const system = this.systemOf(computer)
    const isReady = system && this.isReady[system.one] && this.isReady[system.image]
    if (!system || !isReady || !this.canBoot(computer) || !this.#isPending(computer, system)) return null
    const grant = this.#grantOf(computer) ?? this.#newGrant(computer)
    if (!grant || grant.report) return null
    this.#boots[computer] = { grant, image: system.image, edition: system.edition }
    return {
      image: packages[system.image]?.name ?? '',
      edition: system.edition === null ? null : (editions[system.edition] ?? null),
    }
  }

  /** What the installer that the computer booted last gets; undefined if there was none. */
  installation(computer: number) {
    const boot = this.#boots[computer]
    if (!boot) return undefined
    if (boot.grant !== this.#grantOf(computer) || boot.grant.report || !this.#isPending(computer, boot))
      return 'InstallationNotPending'
    return {
      edition: boot.edition === null ? null : editions[boot.edition],
      preOs: this.#preOsItems(computer)
        .map((item) => item.package)
        .filter((one) => this.isReady[one]),
      languages: this.#installableLanguages(computer),
    }
  }

  /** Whether PXE is active, and what a report that waits to be confirmed says. */
  installationState(computer: number) {
    const grant = this.#grantOf(computer)
    return { isPending: this.isPxeActive(computer), reports: grant ? [grant.report?.status ?? null] : [] }
  }

  /** The report of the installer that the computer booted last. One that installs something else proves nothing. */
  reportInstaller(computer: number, report: InstallerReport) {
    const boot = this.#boots[computer]
    if (!boot) return null
    if (boot.grant !== this.#grantOf(computer) || boot.grant.report || !this.#isPending(computer, boot)) return 204
    if (boot.grant.hasEnrolled && report.status === 'Success') this.endInstallation(computer, report)
    else boot.grant.report = report
    return 204
  }

  /** The agent of a new system takes over the computer. */
  enrol(computer: number) {
    for (const item of this.open(computer)) if (item.state === 'Leased') item.isLeaseExpired = true
    this.runs[computer] = (this.runs[computer] ?? 0) + 1
    const grant = this.#grantOf(computer)
    if (grant?.report?.status === 'Success') this.endInstallation(computer, grant.report)
    else if (grant) grant.hasEnrolled = true
    return 200
  }

  confirmInstallation(computer: number) {
    const report = this.#grantOf(computer)?.report
    if (!report) return 'NoReportToConfirm'
    this.endInstallation(computer, report)
    return 204
  }

  /** The agent itself says how the installation ended. */
  reportSystemInstalled(computer: number, status: EndOfInstallation) {
    this.endInstallation(computer, { status, preOs: null, languages: [] })
    return 204
  }

  protected endInstallation(computer: number, { status, preOs, languages }: InstallerReport): void {
    this.endPxe(computer)
    const item = this.installationOf(computer)
    if (!item) return
    if (status === 'Success') this.succeed(item)
    else this.close(item, 'Failed', { result: 'Failed' })
    this.recordEvent(item, status, 'Report')
    for (const ran of preOs ? this.#preOsItems(computer) : []) {
      if (preOs === 'Success') this.succeed(ran)
      else this.close(ran, 'Failed', { result: 'Failed' })
      this.recordEvent(ran, preOs ?? '', 'Report')
    }
    // The installer has booted, so the boot image has done its part.
    if (item.image !== null && item.image !== item.package) this.state(computer, item.image).result = 'Success'
    const installed = status === 'Success' ? this.#installLanguages(computer, languages) : []
    // What runs before the operating system runs again with the next installation.
    for (const one of packages.keys())
      if (kindOf(one) === 'PreOs') this.#remove(computer, one)
      else if (status === 'Success' && one !== item.package && !installed.includes(one)) this.#endResult(computer, one)
    if (status === 'Success') this.running[computer] = null
    this.withdraw([computer])
    if (status === 'Success') this.#publishAgain(computer)
  }

  /** A new system has nothing of the one before, and nothing has failed on it. */
  #endResult(computer: number, one: number): void {
    const state = this.state(computer, one)
    if (state.installation === 'Installed' || state.result === 'Failed') state.result = null
    this.#remove(computer, one)
  }

  #remove(computer: number, one: number): void {
    const state = this.state(computer, one)
    if (state.installation === 'Installed') Object.assign(state, { installation: 'NotInstalled', content: null })
  }

  /** What the agent of the old system had is due for that of the new one. */
  #publishAgain(computer: number): void {
    for (const item of this.open(computer))
      if (item.state === 'Leased' && item.package !== noPackage) item.state = 'Due'
    const scope = this.activeGroupsOf(computer, 'software').map((group) => ({ computer, group }))
    this.publish(scope, { software: true, pxe: false, pull: false }, { type: 'Activation', computer }, 'Activation')
  }

  /** What an installer gets: the language packs of the computer that are for the system to be installed. */
  #installableLanguages(computer: number): number[] {
    const { architecture } = packages[operatingSystem] ?? {}
    const isForSystem = (one: number) => !this.editionOf(computer) || packages[one]?.architecture === architecture
    return languagePacks.filter((one) => this.nearest(computer, one) !== null && this.isReady[one] && isForSystem(one))
  }

  #installLanguages(computer: number, reported: readonly number[]): number[] {
    const installed = this.#installableLanguages(computer).filter((one) => reported.includes(one))
    for (const one of installed) {
      for (const item of this.open(computer)) if (item.package === one) this.close(item, 'Success', {})
      const change = { result: 'Success', installation: 'Installed', isPending: false } as const
      Object.assign(this.state(computer, one), { ...change, content: this.content[one] })
      this.recordEvent({ computer, package: one, kind: 'Install' }, 'Success', 'Report')
    }
    return installed
  }

  #preOsItems(computer: number) {
    return this.open(computer).filter((item) => kindOf(item.package) === 'PreOs')
  }

  /** Whether the computer is activated to install exactly this. */
  #isPending(computer: number, { image, edition }: { image: number; edition: number | null }): boolean {
    const item = this.installationOf(computer)
    return item !== undefined && this.isPxeActive(computer) && item.image === image && item.edition === edition
  }

  /** A grant ends with the installation that it belongs to, whichever groups justify that. */
  #grantOf(computer: number): Grant | null {
    const grant = this.#grants[computer] ?? null
    if (grant && !isOpen(grant.item)) this.#grants[computer] = null
    return this.#grants[computer] ?? null
  }

  #newGrant(computer: number): Grant | null {
    const item = this.installationOf(computer)
    this.#grants[computer] = item ? { item, hasEnrolled: false, report: null } : null
    return this.#grants[computer] ?? null
  }
}
