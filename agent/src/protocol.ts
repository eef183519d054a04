import type { components } from '@muster/agent-protocol'

/** The messages of /agent/v1. */
type Schemas = components['schemas']

export type Enrolment = Schemas['EnrolmentRequest']
export type Enrolled = Schemas['AgentCredential']

export type Suspension = Schemas['AgentSuspension']
export type SuspensionMode = Suspension['mode']

export type Contact = Schemas['AgentContact']
export type Environment = Contact['environment']
export type ContactAnswer = Schemas['AgentContactAnswer']
export type Settings = Schemas['AgentSettings']
export type Offer = Schemas['WorkOffer']
export type PackageId = Offer['packageId']

export type WorkItem = Schemas['WorkItem']
export type WorkKind = WorkItem['kind']
export type PackageWorkKind = Exclude<WorkKind, 'Power' | 'Refresh'>
export type WorkPackage = Schemas['WorkPackage']
export type Power = Schemas['WorkPower']
export type WorkDeadline = Schemas['WorkDeadline']
export type WorkChoice = Schemas['WorkChoice']
export type Postponement = Schemas['WorkPostponement']
/** Why the agent returns work without a choice of the user. */
export type DelayReason = Exclude<NonNullable<Postponement['reason']>, 'User'>

export type StartedWork = Schemas['StartedWork']
export type PackageFile = Schemas['WorkFile']
export type PackageCommands = Schemas['WorkCommands']
export type PackageCommand = Schemas['PackageCommand']
/** A command, or a declared form. */
export type PackageDetection = Schemas['PackageDetection']
/** A command, or the program that is removed. */
export type PackageUninstall = Schemas['PackageUninstall']
export type WorkDeclaration = Schemas['WorkDeclaration']

export type Upcoming = Schemas['Upcoming']
export type UpcomingWork = Schemas['UpcomingWork']
export type PreDownloadReport = Schemas['PreDownloadReport']

export type Progress = Schemas['WorkProgress']
export type ProgressAnswer = Schemas['WorkProgressAnswer']

export type ResultAnswer = Schemas['WorkResultAnswer']

export type WorkResult = Schemas['WorkResult']
export type TrialReport = NonNullable<WorkResult['trial']>
export type TrialStep = TrialReport['steps'][number]
export type InstallationState = NonNullable<WorkResult['installationState']>

export type OsInstallation = Schemas['OsInstallationReport']

export type WorkPatch = Schemas['WorkPatch']
export type WorkRollback = Schemas['WorkRollback']
export type PatchRollback = Schemas['PatchRollback']
export type PatchScan = Schemas['PatchScanReport']
export type PatchScanReceipt = Schemas['PatchScanReceipt']
export type ScannedPatch = Schemas['ScannedPatch']

export type InventorySections = Required<Schemas['InventoryReport']['sections']>
export type BitlockerState = Schemas['BitlockerState']
export type SectionName = keyof InventorySections
export type SectionBody = { items: unknown[] } | { item: unknown }
export type SectionReport = { hash: string; collectedUtc: string } & SectionBody

export type ComputerSoftware = Schemas['ComputerSoftware']
export type UserChoice = Schemas['UserChoice']
export type UserChoicesAnswer = Schemas['UserChoicesAnswer']

export type ContactResult = Schemas['ContactWorkResult']
export type ContactProgress = Schemas['ContactWorkProgress']

/** The maximum number of results and the maximum length of an output in a contact, and of all results in bytes. */
export const maxInContact = { results: 20, output: 4_096, bytes: 90_000 } as const

/** The maximum number of choices of users in a report. */
export const maxReportedChoices = 20

/** The maximum lengths of texts in reports. */
export const maxLength = {
  commandLine: 8_000,
  output: 65_536,
  errorText: 4_000,
  message: 1_000,
  trialOutput: 24_000,
  leftover: 255,
} as const
