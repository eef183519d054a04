import { PackageConditions } from '@muster/package-format'
import { closed, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { CauseId } from '../../deployments/api/retry/schemas.ts'
import { Package } from '../../packages/api/schemas.ts'
import { Tag } from '../../tags/api/schemas.ts'
import { groupSummary, line, statusCounts } from './page-schemas.ts'
import { countSchema } from './schemas.ts'

const DeploymentCountsSchema = closed(
  { success: statusCounts.success, failed: statusCounts.failed, pending: statusCounts.pending },
  { title: 'DeploymentCounts', description: 'Computers by the state of the deployment, assigned or not' },
)

const deploymentsCountedUtc = nullable({
  ...Instant,
  description: 'When the deployments were counted with the fleet; null if they were counted for this answer',
})

export const PackageSummary = closed(
  {
    ...Package.properties,
    deployments: DeploymentCountsSchema,
    deploymentsCountedUtc,
  },
  { title: 'PackageSummary' },
)

export const FailureCause = closed(
  {
    causeId: CauseId,
    packageId: Uuid,
    packageName: Package.properties.name,
    packageVersion: Package.properties.version,
    cause: line('no space left on <path>', 'What the output of the failed commands has in common; may be empty'),
    exitCode: nullable({ ...Int32, examples: [1603], description: 'Exit code of the commands; null if unknown' }),
    count: countSchema('Number of computers'),
    latestFailureUtc: nullable({ ...Instant, description: 'When the latest of these failures was reported' }),
    exampleClientId: { ...Id, description: 'The computer of the latest failure' },
    exampleHostname: line('pc-0017', 'Its name'),
    exampleOutput: line('install.sh: no space left on device', 'The end of the output of its command'),
  },
  { title: 'FailureCause' },
)

const PackageVersion = closed(
  {
    id: Uuid,
    version: Package.properties.version,
    revision: Package.properties.revision,
    os: Package.properties.os,
    operational: Package.properties.operational,
    hashState: Package.properties.hashState,
    deployments: DeploymentCountsSchema,
    deploymentsCountedUtc,
  },
  { title: 'PackageVersion' },
)

const RelatedPackage = closed(
  { packageId: Uuid, name: Package.properties.name, version: Package.properties.version },
  { title: 'RelatedPackage' },
)

const relatedName = {
  name: text(200, 'runtime', 'Name of a package in its manifest'),
  packageId: nullable({
    ...Uuid,
    description: 'The highest released version with this name; null if no package has it',
  }),
}

const PackageRelations = closed(
  {
    requires: Type.Array(
      closed(
        {
          ...relatedName,
          pulledIn: Type.Boolean({
            examples: [true],
            description:
              'An activation also brings it to computers that lack it. False for packages that were imported when requirements only waited',
          }),
        },
        { title: 'RequiredPackage' },
      ),
      { description: 'What must be installed before it' },
    ),
    supersedes: Type.Array(
      closed(
        {
          ...relatedName,
          uninstallFirst: Type.Boolean({
            examples: [false],
            description: 'It is uninstalled before. Otherwise, the installer replaces it',
          }),
        },
        { title: 'SupersededPackage' },
      ),
      { description: 'What it takes the place of' },
    ),
    conflicts: Type.Array(closed(relatedName, { title: 'ConflictingPackage' }), {
      description: 'What must not be on the same computer, whichever of the two packages says so',
    }),
    requiredBy: Type.Array(RelatedPackage, { description: 'Packages that require it, by name; at most 50' }),
    supersededBy: Type.Array(RelatedPackage, { description: 'Packages that take its place, by name; at most 50' }),
  },
  { title: 'PackageRelations' },
)

export const PackagePage = closed(
  {
    package: Package,
    folder: nullable(text(2_000, 'apps/greeting', 'Folder in the package store; null if the package was not imported')),
    importedAtUtc: nullable({ ...Instant, description: 'When its content was last imported' }),
    fileCount: countSchema('Number of files'),
    sizeBytes: Type.Number({ minimum: 0, examples: [3_512_000], description: 'Size of all files' }),
    tags: Type.Array(closed({ id: Id, designation: Tag.properties.designation }, { title: 'TagOfPackage' }), {
      description: 'Tags of the package, by designation',
    }),
    versions: Type.Array(PackageVersion, {
      description: 'The versions of its line, this one included: the latest import first, at most 50',
    }),
    relations: PackageRelations,
    onlyFor: nullable(PackageConditions),
    status: closed(statusCounts, { title: 'PackageStatusCounts', description: 'As in getPackageStatus' }),
    groups: Type.Array(
      closed(
        { id: Uuid, name: groupSummary.name, path: groupSummary.path, assignedToTree: groupSummary.assignedToTree },
        { title: 'AssignedGroup' },
      ),
      { description: 'Groups to which the package is assigned directly, by path; at most 500' },
    ),
    failureCauses: Type.Unsafe<(typeof FailureCause)['static'][] | null>({
      ...Type.Array(FailureCause),
      type: ['array', 'null'],
      description:
        'The computers on which the package fails now, grouped by exit code and cause: the most frequent first, at most 50. ' +
        'Of more than 5,000 failures, the latest 5,000 count. Null without the role computer.read.',
    }),
  },
  { title: 'PackagePage' },
)

export const FailingComputer = closed(
  {
    id: Id,
    hostname: line('pc-0017', 'Name of the computer'),
    domain: nullable(text(255, 'corp.example.org', 'Domain or workgroup')),
    lastSeenUtc: nullable({ ...Instant, description: 'Last contact of the agent; null before the first one' }),
    failedUtc: nullable({ ...Instant, description: 'When the failure was reported' }),
    exitCode: FailureCause.properties.exitCode,
    output: line('install.sh: no space left on device', 'The end of the output of its command'),
    causeId: CauseId,
  },
  { title: 'FailingComputer' },
)
