import type { RpmPatch } from './advisory.ts'
import type { PatchPlan } from './install-released.ts'
import type { RpmPackage } from './rpm-packages.ts'

/** How a tool finds and installs the patches of an RPM distribution. */
export type RpmPatchTool = {
  /** Where it keeps what it has fetched of repositories. */
  cacheFolders: readonly string[]
  /** Fetches what the repositories offer. */
  refresh(): Promise<void>
  /**
   * All missing patches, and the installed ones that are worth a report: security patches, and those of `known`. Titles, dates and
   * the like are only read on request.
   */
  list(known: ReadonlySet<string>, withDetails: boolean): Promise<RpmPatch[]>
  /** Simulates the installation. Throws an ExpectedError with the reason if the tool refuses it. */
  plan(targets: readonly RpmPackage[], keys: readonly string[]): Promise<PatchPlan>
  /** Installs these versions. Throws an ExpectedError with the reason. `keys` are the advisories among the patches. */
  install(targets: readonly RpmPackage[], keys: readonly string[]): Promise<{ rebootRequired: boolean }>
  rollback: RpmRollbackTool
}

/** How a tool brings back earlier versions. */
export type RpmRollbackTool = {
  /** The packages that advisories name, in their versions. */
  packagesOf(ids: readonly string[]): Promise<Map<string, { name: string; version: string; architecture?: string }[]>>
  /** The version that the installed one has replaced; null if the tool has recorded none. */
  versionBefore(installed: RpmPackage): Promise<string | null>
  /** Why the tool cannot install this version, as a sentence for people. */
  findObstacle(target: RpmPackage): Promise<string | undefined>
  plan(targets: readonly RpmPackage[]): Promise<PatchPlan>
  downgrade(targets: readonly RpmPackage[]): Promise<{ rebootRequired: boolean }>
}
