import type { TProperties } from '@sinclair/typebox'
import {
  closed,
  enumOf,
  Id,
  Instant,
  Int32,
  nullable,
  type Static,
  type TSchema,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { SuspensionMode } from '../../agents/suspension.ts'
import { batteryWear } from '../battery-wear.ts'
import { bitlockerOff } from '../bitlocker-off.ts'
import { failedDeployment } from '../failed-deployment.ts'
import { issueNames } from '../issues.ts'
import { lowDisk } from '../low-disk.ts'
import { missingPatch } from '../missing-patch.ts'
import { staleDeployment } from '../stale-deployment.ts'

const base = {
  id: Id,
  hostname: Type.String({ examples: ['pc-0017'] }),
  domain: nullable(text(255, 'corp.example.org')),
  macAddress: nullable(text(64, '00:1B:44:11:3A:B7')),
  uuid: Uuid,
  lastSeenUtc: nullable(Instant),
  serialNumber: nullable(text(255, 'PF3K9XYZ')),
}

/** A computer with what is wrong with it. */
export const issueItem = <S extends TProperties>(title: string, shape: S) => closed({ ...base, ...shape }, { title })

export const IssueNameSchema = enumOf(issueNames, { title: 'IssueName' })

const IssueHit = closed(
  {
    issue: IssueNameSchema,
    count: { ...Int32, examples: [2], description: 'Drives, packages, patches and the like; 1 where there is but one' },
    detail: Type.String({ examples: ['C: 11.3 GB free'], description: 'For people' }),
  },
  { title: 'IssueHit' },
)

export const IssueOverviewItem = issueItem('IssueOverviewItem', { issues: Type.Array(IssueHit) })

const listOrNull = <S extends TSchema>(list: S) => Type.Unsafe<Static<S> | null>({ ...list, type: ['array', 'null'] })

export const ComputerIssues = issueItem('ComputerIssues', {
  activeIssues: Type.Array(IssueNameSchema),
  failedPackages: listOrNull(failedDeployment.shape.failedPackages),
  missingPatches: listOrNull({ ...missingPatch.shape.missingPatches, description: 'The worst first, 25 at most' }),
  pmClientGaps: listOrNull(missingPatch.shape.pmClientGaps),
  unencryptedDisks: listOrNull(bitlockerOff.shape.unencryptedDisks),
  lowDiskDrives: listOrNull(lowDisk.shape.lowDiskDrives),
  wornBatteries: listOrNull(batteryWear.shape.wornBatteries),
  pendingReboot: Type.Boolean({ examples: [false] }),
  staleAgentHours: nullable(Type.Number({ examples: [49.5] })),
  staleInventoryDays: nullable(
    Type.Number({
      examples: [21.3],
      description: 'Also null when stale-inventory is active for want of any inventory',
    }),
  ),
  stalePendingPackages: listOrNull(staleDeployment.shape.stalePendingPackages),
  suspensionMode: nullable(SuspensionMode),
  suspendedUntil: nullable(Instant),
})

export const SharedFailureDevice = closed(
  {
    id: Id,
    hostname: base.hostname,
    domain: base.domain,
    lastFailedUtc: nullable(Instant),
    errorText: nullable(Type.String({ examples: ['The command ended with 1603.'] })),
  },
  { title: 'SharedFailureDevice' },
)

export const SharedPackageFailure = closed(
  {
    softwareId: nullable(Uuid),
    packageName: nullable(text(255, 'Greeting')),
    affectedDeviceCount: { ...Int32, examples: [2], description: 'All of them, whether they are listed or not' },
    affectedDevices: Type.Array(SharedFailureDevice, {
      description: 'Empty unless includeDevices is true, and 500 at most',
    }),
  },
  { title: 'SharedPackageFailure' },
)
