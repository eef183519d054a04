import { closed, enumOf, Id, Instant, nullable, pagedResultOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { packageKinds } from '../manifest.ts'

export const PackagePath = closed({ id: Uuid })

const kinds = Object.values(packageKinds)

export const Package = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Greeting'], description: 'Name for people' }),
    packageName: nullable(text(200, 'greeting', 'Name in the manifest')),
    type: nullable(text(50, 'Software', 'Decides by which operations the package is assigned to groups')),
    subType: nullable(text(50, 'InventoryScan', 'InventoryScan, PatchScan or PatchFix, PreOs, or null')),
    version: nullable(text(100, '1.2.0')),
    author: nullable(text(255, 'Example Corporation')),
    revision: nullable(text(50, '1')),
    operational: Type.Boolean({ examples: [true], description: 'The Ready-to-Install flag' }),
    os: Type.Array(Type.String(), { examples: [['Linux']] }),
    kind: enumOf(kinds, { description: 'Beyond the contract: the kind that the manifest names' }),
    hashState: enumOf(['None', 'Current', 'Mismatch'], {
      description:
        'Beyond the contract: whether the files are those that were imported. With Mismatch, they are not handed out.',
    }),
  },
  { title: 'Package' },
)

const filterText = (example: string, description: string) => Type.Optional(nullable(text(255, example, description)))

export const PackageSearchFilter = closed(
  {
    name: filterText('greet', 'Part of the name, for people or in the manifest'),
    version: filterText('1.2', 'Part of the version'),
    tag: filterText('Global', 'Part of the designation of a tag'),
    tagId: Type.Optional(nullable(Id)),
    kind: Type.Optional(nullable(enumOf(kinds))),
  },
  { title: 'PackageSearchFilter' },
)

export const PackageTagsRequest = closed(
  { tagIds: Type.Array(Id, { maxItems: 1_000, uniqueItems: true, examples: [[1]] }) },
  { title: 'PackageTagsRequest' },
)

export const ReadyToInstallRequest = closed(
  { operational: Type.Boolean({ examples: [true] }) },
  { title: 'ReadyToInstallRequest' },
)

export const PackageImportRequest = closed(
  {
    folderPath: Type.String({
      examples: ['apps/greeting'],
      description: 'Path of the folder below the root of the package store, with / or \\ between its parts.',
    }),
    overwrite: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Replace the content of the package with the same name, version, revision and operating systems.',
      }),
    ),
  },
  { title: 'PackageImportRequest' },
)

export const TrackingIdResponse = closed({ trackingId: Uuid }, { title: 'TrackingIdResponse' })

export const PackageImportStatus = closed(
  {
    trackingId: Uuid,
    status: enumOf(['Pending', 'Running', 'Success', 'Failed']),
    message: nullable(text(1_000, 'Imported with 12 files.')),
    progress: nullable(
      Type.Integer({ minimum: 0, maximum: 100, examples: [100], description: 'Percent; null before it begins' }),
    ),
    packageId: nullable(Uuid),
    requestedAtUtc: Instant,
    finishedAtUtc: nullable(Instant),
  },
  { title: 'PackageImportStatus' },
)

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const PackageStatusDevice = closed(
  {
    id: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    status: enumOf(['Pending', 'Success', 'Failed'], { title: 'DeploymentStatus' }),
    installTime: nullable(Instant),
    errorText: nullable(text(1_000, 'The installer ended with 1603.')),
    assignedGroupId: Uuid,
    assignedGroupPath: Type.String({ examples: ['Configuration/Workstations'] }),
  },
  { title: 'PackageStatusDevice' },
)

export const PackageStatus = closed(
  {
    packageId: Uuid,
    groupId: nullable(Uuid),
    total: count('Computers that get the package through their groups'),
    pending: count('Of these, without a result yet'),
    success: count('Of these, installed'),
    failed: count('Of these, failed'),
    devices: pagedResultOf(PackageStatusDevice),
  },
  { title: 'PackageStatus' },
)
