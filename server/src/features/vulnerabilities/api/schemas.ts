import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { matchKinds } from '../compare/component-candidates.ts'
import { vulnerabilityFormats } from '../documents/read-files.ts'
import { severities } from '../documents/vulnerability-document.ts'
import { RemedySchema, remedyCounts } from './remedy-schemas.ts'

const count = (description: string, example = 3) => Type.Integer({ format: 'int32', examples: [example], description })

const share = (description: string, example: number) =>
  nullable(Type.Number({ minimum: 0, maximum: 1, examples: [example], description }))

const day = (description: string) => nullable(Type.String({ format: 'date', examples: ['2026-03-11'], description }))

export const vulnerabilityKey = (description: string) => ({
  ...text(100, 'CVE-2026-12345', description),
  minLength: 1,
})

export const VulnerabilityPath = closed({
  key: vulnerabilityKey('Number of the CVE, or id of an advisory that names none; regardless of case'),
})

export const VulnerabilitySeverity = enumOf(severities, {
  title: 'VulnerabilitySeverity',
  description: 'By the CVSS score; without one, by the word of the source of the advisory',
})

export const vulnerabilityStates = ['Open', 'Excepted', 'Fixed', 'NotPresent'] as const

export const VulnerabilityState = enumOf(vulnerabilityStates, {
  description:
    'Open: computers are affected. Excepted: exceptions cover all of them. Fixed: no computer is affected any more. NotPresent: no computer was ever found to be.',
})

export const exceptionStatuses = ['NotAffected', 'Accepted', 'FalsePositive'] as const

export const ExceptionStatus = enumOf(exceptionStatuses)

const ratings = {
  key: vulnerabilityKey('Number of the CVE, or id of the advisory if it names none'),
  title: nullable(text(500, 'openssl: memory corruption in the parser of certificates')),
  publishedOn: day('When it was published'),
  severity: VulnerabilitySeverity,
  cvssScore: nullable(Type.Number({ minimum: 0, maximum: 10, examples: [9.8], description: 'Base score' })),
  cvssVector: nullable(text(255, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')),
  epssScore: share('Probability that it is exploited within 30 days (EPSS)', 0.42),
  epssPercentile: share('Share of all vulnerabilities with a lower probability', 0.97),
  isKnownExploited: Type.Boolean({
    examples: [true],
    description: 'The catalog of known exploited vulnerabilities has it',
  }),
  kevAddedOn: day('When that catalog added it'),
  kevDueOn: day('Until when that catalog asks for a fix'),
  usedByRansomware: Type.Boolean({ examples: [false], description: 'Known to be used by ransomware' }),
}

export const FleetVulnerability = closed(
  {
    ...ratings,
    state: VulnerabilityState,
    hasFix: Type.Boolean({
      examples: [true],
      description: 'A fixed version is known for at least one affected package',
    }),
    affectedComputers: count('Affected computers as of the last count, with those that exceptions cover', 120),
    openComputers: count('Affected computers that no exception covers', 118),
    firstSeenUtc: nullable({ ...Instant, description: 'When the first affected computer was found' }),
    fixedUtc: nullable({ ...Instant, description: 'Since when no computer is affected' }),
  },
  { title: 'FleetVulnerability' },
)

const MatchKind = enumOf(matchKinds, {
  title: 'VulnerabilityMatch',
  description:
    'How the package was found. SourcePackage: its agent reported the package from which it is built, and the advisory names that. ' +
    'BinaryPackage: the advisory names the package itself. PackageName: an agent that reports no source packages, so it is an ' +
    'assumption that the source package has the same name.',
})

const packageProperties = {
  package: text(255, 'openssl', 'The package that the advisory names'),
  platform: text(100, 'debian-12', 'The release of the distribution'),
  packageVersion: text(255, '3.0.15-1~deb12u1', 'The version that was compared'),
  fixedVersion: nullable(
    text(255, '3.0.16-1~deb12u1', 'The first version without the vulnerability; null if none is known'),
  ),
  match: MatchKind,
  advisory: text(255, 'DSA-5532-1', 'The advisory, or the vulnerability itself if its source has no advisories'),
  source: text(100, 'debian-security-tracker', 'The source of the advisory'),
  firstSeenUtc: { ...Instant, description: 'When this version was first found in the fleet with the vulnerability' },
}

const installedProperties = {
  productName: text(255, 'libssl3', 'The installed software'),
  installedVersion: nullable(text(100, '3.0.15-1~deb12u1')),
}

export const VulnerablePackage = closed(
  {
    ...packageProperties,
    ...installedProperties,
    computers: count('Computers that have it, with those that exceptions cover', 120),
  },
  { title: 'VulnerablePackage' },
)

export const VulnerabilityDetails = closed(
  {
    ...FleetVulnerability.properties,
    packages: Type.Array(VulnerablePackage, {
      description: 'The first 100 affected versions, those of most computers first',
    }),
    ...remedyCounts,
    countedUtc: nullable({ ...Instant, description: 'When computers were last counted' }),
  },
  { title: 'VulnerabilityDetails' },
)

export const VulnerableComputer = closed(
  {
    clientId: Id,
    hostname: text(255, 'pc-0017'),
    domain: nullable(text(255, 'corp.example.org')),
    isExcepted: Type.Boolean({ examples: [false], description: 'An exception covers it' }),
    remedy: RemedySchema,
    ...packageProperties,
    ...installedProperties,
  },
  { title: 'VulnerableComputer' },
)

export const ComputerVulnerability = closed(
  {
    ...ratings,
    isExcepted: Type.Boolean({
      examples: [false],
      description: 'Exceptions cover all of its packages on this computer',
    }),
    remedy: RemedySchema,
    packages: Type.Array(
      closed(
        {
          ...packageProperties,
          ...installedProperties,
          isExcepted: Type.Boolean({ examples: [false], description: 'An exception covers this package' }),
          remedy: RemedySchema,
        },
        { title: 'ComputerVulnerabilityPackage' },
      ),
    ),
  },
  { title: 'ComputerVulnerability' },
)

export const ComputerVulnerabilities = closed(
  {
    items: Type.Array(ComputerVulnerability),
    skip: count('Number of items before this page', 0),
    top: count('Page size that was applied', 50),
    totalCount: count('Number of items on all pages', 1),
    hasMore: Type.Boolean({ examples: [false], description: 'Whether more pages follow' }),
    platform: nullable(
      text(
        100,
        'debian-12',
        'The platform whose advisories were compared. Null: packages of this operating system are not compared.',
      ),
    ),
    comparedPackages: count('Installed packages that were compared', 412),
    assumedPackages: count('Those of them whose source package was not reported, so its name is assumed', 0),
    installedPackages: count('Installed packages and programs', 412),
  },
  { title: 'ComputerVulnerabilities' },
)

export const VulnerabilityImportRequest = closed(
  {
    folderPath: Type.String({
      examples: ['advisories/debian'],
      description:
        'Path of a file or a folder below the root of the package store, with / or \\ as separator. Of a folder, all JSON files.',
    }),
    format: enumOf(vulnerabilityFormats, {
      description:
        'Osv: documents of OSV. DebianTracker: the JSON document of the Debian security tracker. Kev: the catalog of known ' +
        'exploited vulnerabilities. Epss: the CSV file of EPSS, also compressed with gzip. Cvss: feeds of NVD (version 2.0).',
    }),
    source: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
        examples: ['osv-almalinux'],
        description:
          'Name of the source, whose earlier import this one replaces. By default, the name of the format: import distributions in ' +
          'separate folders under separate names.',
      }),
    ),
  },
  { title: 'VulnerabilityImportRequest' },
)

export const VulnerabilityImportStatus = closed(
  {
    trackingId: Uuid,
    status: enumOf(['Pending', 'Running', 'Success', 'Failed']),
    message: nullable(
      text(1_000, 'Read 1 documents: 12000 vulnerabilities, 48000 ranges of versions, 0 documents refused.'),
    ),
    progress: nullable(
      Type.Integer({ minimum: 0, maximum: 100, examples: [100], description: 'Percent; null until the import starts' }),
    ),
    source: nullable(text(100, 'debian-security-tracker', 'Null until the import has ended')),
    isUnchanged: Type.Boolean({ examples: [false], description: 'The documents are those of the last import' }),
    documents: count('Documents that were read', 1),
    vulnerabilities: count('Vulnerabilities that are described', 12_000),
    ranges: count('Ranges of versions', 48_000),
    ignored: count('Statements about platforms that are not compared, or that say that nothing is affected', 210),
    refused: count('Documents that were refused', 0),
    faults: Type.Array(
      closed(
        {
          file: Type.String({ examples: ['broken.json'] }),
          reason: Type.String({ examples: ['is not valid JSON in UTF-8'] }),
        },
        { title: 'VulnerabilityImportFault' },
      ),
      { description: 'The first 1000 refused documents, with the reason' },
    ),
    requestedAtUtc: Instant,
    finishedAtUtc: nullable(Instant),
  },
  { title: 'VulnerabilityImportStatus' },
)

const reason = {
  ...text(2_000, 'The parser is not reachable from the network', 'Why, for those who read it later'),
  pattern: '\\S',
}

const packageName = text(255, 'openssl', 'Name of the package that advisories name, or of the installed package')
const packagePlatform = text(
  100,
  'debian-12',
  'The release of the distribution, or a distribution with all its releases',
)
const packageVersion = text(255, '3.0.15-1~deb12u1', 'Only this version of the package; otherwise all')

const packageScope = {
  package: Type.Optional({ ...packageName, minLength: 1, description: 'Only this package. Needs `platform`.' }),
  platform: Type.Optional({ ...packagePlatform, minLength: 1 }),
  packageVersion: Type.Optional({ ...packageVersion, minLength: 1 }),
}

export const VulnerabilityExceptionRequest = closed(
  {
    status: {
      ...ExceptionStatus,
      description:
        'NotAffected: the vulnerability has no effect here. Accepted: the risk is accepted until a date. FalsePositive: the advisory ' +
        'does not apply.',
    },
    reason,
    groupId: Type.Optional({
      ...Uuid,
      description: 'Only for this group and the groups below it; otherwise for the fleet',
    }),
    computerId: Type.Optional({ ...Id, description: 'Only for this computer' }),
    ...packageScope,
    expiresUtc: Type.Optional({ ...Instant, description: 'Until when it counts. Required for Accepted.' }),
  },
  { title: 'VulnerabilityExceptionRequest' },
)

export const VulnerabilityException = closed(
  {
    id: Id,
    vulnerability: vulnerabilityKey('Number of the CVE, or id of the advisory'),
    status: ExceptionStatus,
    reason: text(2_000, 'The parser is not reachable from the network'),
    groupId: nullable({ ...Uuid, description: 'The group that it is for, with the groups below it' }),
    computerId: nullable({ ...Id, description: 'The computer that it is for' }),
    package: nullable({ ...packageName, description: 'The package that it is for; null for all packages' }),
    platform: nullable(packagePlatform),
    packageVersion: nullable({ ...packageVersion, description: 'The version that it is for; null for all versions' }),
    approvedBy: text(255, 'security-team', 'Who decided'),
    createdUtc: Instant,
    expiresUtc: nullable(Instant),
    isInForce: Type.Boolean({ examples: [true], description: 'It has not expired' }),
  },
  { title: 'VulnerabilityException' },
)

export const VulnerabilityExceptionPath = closed({ id: Id })
