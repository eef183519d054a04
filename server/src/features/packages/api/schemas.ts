import { manifestSchemas, PackageSource, packageKinds } from '@muster/package-format'
import {
  closed,
  enumOf,
  extensionKeyword,
  Id,
  Instant,
  nameKeyword,
  nullable,
  pagedResultOf,
  sha256,
  type TSchema,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { containedText } from './search-filter.ts'

export const PackagePath = closed({ id: Uuid })

const kinds = Object.values(packageKinds)

const LastTrial = closed(
  {
    trialId: Uuid,
    state: enumOf(['Succeeded', 'Failed']),
    computerId: nullable({ ...Id, description: 'The computer on which it was tried; null if it was deleted' }),
    hostname: text(255, 'PC-0017', 'Name of that computer'),
    startedBy: text(255, 'client-77c0d2e41a', 'Name of the principal that requested it'),
    finishedAtUtc: Instant,
    isCurrentContent: Type.Boolean({
      examples: [true],
      description: 'False if the package got other content after the trial',
    }),
  },
  { title: 'LastPackageTrial' },
)

export const Package = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Greeting'], description: 'Display name' }),
    packageName: nullable(text(200, 'greeting', 'Name in the manifest')),
    type: nullable(
      text(50, 'Software', 'Type of the package. It determines which operation assigns the package to groups.'),
    ),
    subType: nullable(
      text(50, 'InventoryScan', 'InventoryScan, PatchScan, PatchFix or PreOs; null for other packages'),
    ),
    version: nullable(text(100, '1.2.0')),
    author: nullable(text(255, 'Example Corporation')),
    revision: nullable(text(50, '1')),
    operational: Type.Boolean({
      examples: [true],
      description: 'Ready-to-Install flag: without it, the package is not handed out',
    }),
    os: Type.Array(Type.String(), { examples: [['Linux']] }),
    description: nullable(
      text(
        10_000,
        'Puts a greeting on every computer',
        'Beyond the contract: the purpose of the package, from its manifest',
      ),
    ),
    kind: enumOf(kinds, { description: 'Beyond the contract: the kind of the package, from its manifest' }),
    hashState: enumOf(['None', 'Current', 'Mismatch'], {
      description:
        'Beyond the contract: whether the files still match the import. A package with Mismatch is not handed out. None: ' +
        'the package was not imported.',
    }),
    contentHash: nullable(
      sha256('Beyond the contract: hash over the paths, sizes and hashes of all files; it changes with the content'),
    ),
    signature: nullable(
      closed(
        {
          keyId: text(16, 'E7620F1842B4E81F', 'Id of the key, as minisign shows it'),
          trusted: Type.Boolean({
            examples: [true],
            description: 'Whether the key is in MUSTER_TRUSTED_KEYS and has really made the signature',
          }),
        },
        { title: 'PackageSignature', description: 'Beyond the contract: who has signed the package; null if nobody' },
      ),
    ),
    importedBy: nullable(
      text(255, 'packaging', 'Beyond the contract: the principal whose import last changed the content'),
    ),
    lastTrial: {
      ...nullable(LastTrial),
      description: 'How the last trial ended; null if the package was not tried, or every trial was cancelled',
      [extensionKeyword]: true,
    },
  },
  { title: 'Package' },
)

export const PackageSearchFilter = closed(
  {
    name: containedText('greet', 'Part of the display name or of the name in the manifest'),
    version: containedText('1.2', 'Part of the version'),
    tag: containedText('Global', 'Part of the designation of a tag of the package'),
    tagId: Type.Optional(nullable(Id)),
    kind: Type.Optional(nullable(enumOf(kinds))),
  },
  {
    title: 'PackageSearchFilter',
    description:
      'All criteria must match. Texts are compared ignoring case. A criterion that is null or empty is ignored.',
  },
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
      description: 'Path of the folder, relative to the root of the package store. Both / and \\ separate names.',
    }),
    overwrite: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description:
          'Replace the content of an existing package with the same name, version, revision and operating systems. ' +
          'Changed content clears Ready-to-Install.',
      }),
    ),
  },
  { title: 'PackageImportRequest' },
)

const { name, version, displayName, description, category, operatingSystems, ...further } =
  manifestSchemas.software.properties
const { author, revision, variables, requires, onlyFor, conflicts, supersedes } = further

/** The import fills in the defaults of manifests. With one here, clients would have to send the property. */
function withoutDefault<S extends TSchema>({ default: _, ...schema }: S): S {
  return schema as unknown as S
}

export const RepositoryPackageRequest = closed(
  {
    source: PackageSource,
    name: Type.Optional({
      ...name,
      [nameKeyword]: true,
      description: 'Name of the package. Default: its name in the repositories.',
    }),
    version: Type.Optional({
      ...version,
      description:
        'Version of the package as people see it. Default: the exact version, the minimum version with or later, or latest.',
    }),
    displayName,
    description,
    category,
    operatingSystems: Type.Optional({
      ...operatingSystems,
      description: 'Operating systems that the package is for. Default: the distributions of the family.',
    }),
    ...{ author, revision, onlyFor },
    variables: withoutDefault(variables),
    requires: withoutDefault(requires),
    conflicts: withoutDefault(conflicts),
    supersedes: withoutDefault(supersedes),
    overwrite: PackageImportRequest.properties.overwrite,
  },
  { title: 'RepositoryPackageRequest' },
)

export const TrackingIdResponse = closed({ trackingId: Uuid }, { title: 'TrackingIdResponse' })

export const PackageImportStatus = closed(
  {
    trackingId: Uuid,
    status: enumOf(['Pending', 'Running', 'Success', 'Failed']),
    message: nullable(text(1_000, 'Imported with 12 files.')),
    progress: nullable(
      Type.Integer({ minimum: 0, maximum: 100, examples: [100], description: 'Percent; null before the job starts' }),
    ),
    packageId: nullable(Uuid),
    requestedAtUtc: Instant,
    finishedAtUtc: nullable(Instant),
    log: Type.Array(
      closed(
        { atUtc: Instant, text: text(2_000, 'Found 12 files with 3.4 MB in apps/greeting.') },
        { title: 'PackageImportLogLine' },
      ),
      { description: 'Beyond the contract: what the job has done so far, oldest first' },
    ),
  },
  { title: 'PackageImportStatus' },
)

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const PackageStatusDevice = closed(
  {
    id: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    status: enumOf(['Pending', 'Success', 'Failed', 'NotApplicable'], {
      title: 'PackageStatusOfDevice',
      description: 'NotApplicable: the package is for other operating systems or another architecture',
    }),
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
    total: count('Number of computers to which groups assign the package'),
    pending: count('Number of these without a result yet'),
    success: count('Number of these that have it installed'),
    failed: count('Number of these on which it failed'),
    notApplicable: {
      ...count(
        'Number of these for which the package is not: it is for other operating systems or another architecture',
      ),
      [extensionKeyword]: true,
    },
    devices: pagedResultOf(PackageStatusDevice),
  },
  { title: 'PackageStatus' },
)

/** The properties of the package that every object imported with a package shows. */
export const packageProperties = {
  name: Type.String({ examples: ['Windows 11 24H2'], description: 'Display name of the package' }),
  version: nullable(text(100, '1.2.0', 'Version of the package')),
  description: nullable(text(10_000, 'For the workstations of all branches')),
  operational: Type.Boolean({ examples: [true], description: 'Ready-to-Install flag of the package' }),
}

/** The properties of an image, from the manifest of an operating system or a language pack. */
export const imageProperties = {
  imagePath: nullable(text(2001, 'images/windows-11/install.wim', 'Path of the image in the package store')),
  osLanguage: nullable(text(35, 'de-DE', 'Language tag')),
  os: nullable(text(100, 'Windows 11', 'Operating system')),
  osType: nullable(text(50, 'Workstation', 'Type of the operating system')),
  osArchitecture: nullable(text(20, 'x64', 'Processor architecture')),
}
