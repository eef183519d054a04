import type { TProperties } from '@sinclair/typebox'
import {
  closed,
  enumOf,
  extensionKeyword,
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
import { softwareDrift } from '../software-drift.ts'
import { staleDeployment } from '../stale-deployment.ts'
import { staleInventory } from '../stale-inventory.ts'

const base = {
  id: Id,
  hostname: Type.String({ examples: ['pc-0017'] }),
  domain: nullable(text(255, 'corp.example.org')),
  macAddress: nullable(text(64, '00:1B:44:11:3A:B7')),
  uuid: Uuid,
  lastSeenUtc: nullable(Instant),
  serialNumber: nullable(text(255, 'PF3K9XYZ')),
}

/** Schema of a computer with the properties of an issue. */
export const issueItem = <P extends TProperties>(title: string, properties: P) =>
  closed({ ...base, ...properties }, { title })

export const IssueNameSchema = enumOf(issueNames, { title: 'IssueName' })

const IssueHit = closed(
  {
    issue: IssueNameSchema,
    count: { ...Int32, examples: [2], description: 'Number of occurrences, such as drives, packages or patches' },
    detail: Type.String({ examples: ['C: 11.3 GB free'], description: 'A short text for people' }),
  },
  { title: 'IssueHit' },
)

export const IssueOverviewItem = issueItem('IssueOverviewItem', { issues: Type.Array(IssueHit) })

const listOrNull = <S extends TSchema>(list: S) => Type.Unsafe<Static<S> | null>({ ...list, type: ['array', 'null'] })

export const ComputerIssues = issueItem('ComputerIssues', {
  activeIssues: Type.Array(IssueNameSchema),
  failedPackages: listOrNull(failedDeployment.properties.failedPackages),
  missingPatches: listOrNull({
    ...missingPatch.properties.missingPatches,
    description: 'The most severe first, at most 25',
  }),
  pmClientGaps: listOrNull(missingPatch.properties.pmClientGaps),
  unencryptedDisks: listOrNull(bitlockerOff.properties.unencryptedDisks),
  lowDiskDrives: listOrNull(lowDisk.properties.lowDiskDrives),
  wornBatteries: listOrNull(batteryWear.properties.wornBatteries),
  pendingReboot: Type.Boolean({ examples: [false] }),
  staleAgentHours: nullable(Type.Number({ examples: [49.5] })),
  staleInventoryDays: nullable(staleInventory.properties.staleInventoryDays),
  stalePendingPackages: listOrNull(staleDeployment.properties.stalePendingPackages),
  suspensionMode: nullable(SuspensionMode),
  suspendedUntil: nullable(Instant),
  driftedPackages: { ...listOrNull(softwareDrift.properties.driftedPackages), [extensionKeyword]: true },
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
    affectedDeviceCount: {
      ...Int32,
      examples: [2],
      description: 'Number of affected computers, whether or not they are listed',
    },
    affectedDevices: Type.Array(SharedFailureDevice, {
      description: 'At most 500 computers. Empty unless `includeDevices` is true.',
    }),
  },
  { title: 'SharedPackageFailure' },
)
