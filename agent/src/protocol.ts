import type { components } from './protocol-types.ts'

/** What agent and server say to each other on /agent/v1. */
type Said = components['schemas']

export type Enrolment = Said['EnrolmentRequest']
export type Enrolled = Said['AgentCredential']

export type Suspension = Said['AgentSuspension']
export type SuspensionMode = Suspension['mode']

export type Contact = Said['AgentContact']
export type Environment = Contact['environment']
export type ContactAnswer = Said['AgentContactAnswer']
export type Settings = Said['AgentSettings']
export type Offer = Said['WorkOffer']
export type PackageId = Offer['packageId']

export type WorkOrder = Said['WorkOrder']
export type WorkKind = WorkOrder['kind']
export type PackageWorkKind = Exclude<WorkKind, 'Power' | 'Refresh'>
export type WorkPackage = Said['WorkPackage']
export type Power = Said['WorkPower']

export type StartedWork = Said['StartedWork']
export type PackageFile = Said['WorkFile']
export type PackageCommands = Said['WorkCommands']
export type PackageCommand = Said['PackageCommand']

export type Progress = Said['WorkProgress']
export type ProgressAnswer = Said['WorkProgressAnswer']

export type WorkResult = Said['WorkResult']
export type InstallationState = NonNullable<WorkResult['installationState']>

export type OsInstallation = Said['OsInstallationReport']

export type WorkPatch = Said['WorkPatch']
export type PatchScan = Said['PatchScanReport']
export type ScannedPatch = Said['ScannedPatch']

export type SectionBody = { items: unknown[] } | { item: unknown }
export type SectionReport = { hash: string; collectedUtc: string } & SectionBody

/** The longest texts that the server takes. */
export const longest = { commandLine: 8_000, output: 65_536, errorText: 4_000, message: 1_000 } as const
