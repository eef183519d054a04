/** What agent and server say to each other on /agent/v1. */

export type Enrolment = {
  token: string
  enrolmentKey: string
  computer: {
    name: string
    domain: string
    isDomain: boolean
    uuid: string | null
    macAddress: string | null
  }
  agent: { version: string; platform: string }
}

export type Enrolled = { clientId: number; credential: string }

/** Only compared and sent back, never looked into. */
export type PackageId = number | string

export type SuspensionMode = 'Suspended' | 'PresentationMode' | 'MaintenanceMode'
export type Suspension = { mode: SuspensionMode; untilUtc: string | null }

export type Environment = 'OperatingSystem' | 'PreOs'

export type Contact = {
  runId: string
  agentVersion: string
  platform: string
  environment: Environment
  bootTimeUtc: string
  rebootRequired: boolean
  rebootRequiredSource: string | null
  suspension: Suspension | null
  loggedOnUser: string | null
  ipAddress: string | null
  settingsHash: string | null
  sections: Record<string, string>
  wants: PackageId[]
  /** Nothing is left of what this process was handed. */
  emptyHanded: boolean
}

export type Settings = { hash: string; values: Record<string, string | number | boolean> }
export type Offer = { packageId: PackageId; name: string; version: string; untilUtc: string | null }

export type ContactAnswer = {
  serverTimeUtc: string
  nextContactSeconds: number
  settings: Settings | null
  sections: string[]
  work: WorkOrder[]
  offers: Offer[]
}

export type PackageWorkKind = 'Install' | 'Update' | 'Uninstall' | 'Reinstall'
export type WorkKind = PackageWorkKind | 'Power' | 'Refresh'

export type WorkPackage = {
  packageId: PackageId
  name: string
  version: string
  kind: string
  operatingSystems: string[]
  contentHash: string
}

export type Power = {
  action: 'Shutdown' | 'Reboot' | 'LogOff' | 'None'
  timeoutMinutes: number
  reminderMinutes: number
}

export type WorkOrder = {
  workId: number
  attempt: number
  kind: WorkKind
  leaseSeconds: number
  package: WorkPackage | null
  postponable: { remaining: number; untilUtc: string | null }
  hidden: boolean
  forced: boolean
  power: Power | null
}

export type PackageCommand = {
  argv?: string[]
  shell?: string
  timeLimitMinutes: number
  successCodes: number[]
  rebootCodes: number[]
}

export type PackageCommands = {
  install?: PackageCommand
  update?: PackageCommand
  uninstall?: PackageCommand
  detect?: PackageCommand
}

export type PackageFile = { path: string; size: number; sha256: string }

export type StartedWork = {
  leaseSeconds: number
  commands: PackageCommands
  files: PackageFile[]
  depots: { url: string }[]
  variables: Record<string, string>
  secrets: Record<string, string>
}

export type Progress = { attempt: number; percent: number; message: string }
export type ProgressAnswer = { leaseSeconds: number; cancelled: boolean }

export type InstallationState = 'Installed' | 'NotInstalled' | 'Uninstalled'

export type WorkResult = {
  attempt: number
  status: 'Success' | 'Failed'
  installationState: InstallationState | null
  exitCode: number | null
  startedUtc: string
  finishedUtc: string
  commandLine: string | null
  output: string
  errorText: string | null
  rebootRequired: boolean
}

export type SectionBody = { items: unknown[] } | { item: unknown }
export type SectionReport = { hash: string; collectedUtc: string } & SectionBody

/** The longest texts that the server takes. */
export const longest = { commandLine: 8_000, output: 65_536, errorText: 4_000, message: 1_000 } as const
