import { closed, enumOf, Instant, nameText, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'
import { Package } from '../../packages/api/schemas.ts'
import { CreateRolloutRequest } from '../../rollouts/api/request-schemas.ts'
import { RolloutStateName } from '../../rollouts/api/schemas.ts'
import { linePlatforms } from '../line-versions.ts'
import { rollBackObstacles } from '../roll-back.ts'
import { proposalObstacles } from '../upgrade-proposal.ts'
import { upgradeStates } from '../upgrade-records.ts'
import { versionStates } from '../version-usage.ts'

const count = (description: string, example = 12) =>
  Type.Integer({ minimum: 0, format: 'int32', examples: [example], description })

const bytes = (description: string) => Type.Number({ minimum: 0, examples: [3_512_000], description })

const { name, version, revision, os, operational, hashState } = Package.properties

/** Windows or Linux, by the operating systems of the packages; Any: both, or none is named. */
export const LinePlatformName = enumOf(linePlatforms, { title: 'PackageLinePlatform' })

const VersionStateName = enumOf(versionStates, {
  title: 'LineVersionState',
  description:
    'InUse: assigned to a group or in a software class; or installed or pending while no newer version is in use. ' +
    'Superseded: a newer version is in use, and nothing assigns this one. Unused: neither',
})

export const LineVersionSchema = closed(
  {
    id: Uuid,
    name,
    version,
    revision,
    os,
    operational,
    hashState,
    importedAtUtc: Instant,
    state: VersionStateName,
    sizeBytes: bytes('Size of all files'),
    groupCount: count('Groups to which it is assigned directly', 2),
    groups: Type.Array(
      closed(
        { groupId: Uuid, path: groupPath('Names of the group and of its ancestors') },
        { title: 'GroupOfVersion' },
      ),
      { description: 'The first 20 of these groups, by path' },
    ),
    softwareClassCount: count('Software classes that contain it', 0),
    installedCount: count('Computers on which it is installed'),
    pendingCount: count('Computers on which work with it is pending', 3),
  },
  { title: 'LineVersion' },
)

export const PackageLineSchema = closed(
  {
    name,
    key: text(
      200,
      '7-zip',
      'What its packages have in common: their name in the manifest, or the one that a person gave',
    ),
    platform: LinePlatformName,
    versions: Type.Array(LineVersionSchema, { description: 'The newest version first' }),
    proposal: nullable(
      closed(
        {
          packageId: { ...Uuid, description: 'The newest version that is Ready to Install' },
          version,
          groupCount: count('Groups to which an older version is assigned', 2),
        },
        {
          title: 'ProposedVersion',
          description:
            'The upgrade that is proposed; null if no group has an older version than the newest released one',
        },
      ),
    ),
  },
  { title: 'PackageLine' },
)

export const SetPackageLineRequest = closed(
  {
    line: nullable({
      ...nameText(200, '7-zip', 'Name of the line. Packages with the same name are versions of one line'),
      description:
        'Name of the line. Packages with the same name are versions of one line; null: the name in the manifest',
    }),
  },
  { title: 'SetPackageLineRequest' },
)

const ProposedGroupSchema = closed(
  {
    groupId: Uuid,
    path: groupPath('Names of the group and of its ancestors'),
    oldPackageId: { ...Uuid, description: 'The newest of the older versions that it has assigned' },
    oldVersion: version,
    computerCount: count('Computers in the group and below it'),
    obstacle: nullable(
      enumOf(proposalObstacles, {
        title: 'UpgradeObstacle',
        description:
          'Why the group cannot be upgraded. RolloutRunning: a rollout of an older version has not finished its rings',
      }),
    ),
  },
  { title: 'ProposedGroup' },
)

export const UpgradeProposalSchema = closed(
  {
    packageId: Uuid,
    name,
    version,
    isReleased: Type.Boolean({
      examples: [true],
      description: 'Whether it is Ready to Install, as an upgrade needs it',
    }),
    groups: Type.Array(ProposedGroupSchema, { description: 'Groups with an older version of the line, by path' }),
  },
  { title: 'PackageUpgradeProposal' },
)

const {
  name: _name,
  groupId: _groupId,
  packageId: _packageId,
  rings,
  ...rolloutProperties
} = CreateRolloutRequest.properties

export const CreateUpgradeRequest = closed(
  {
    groupIds: Type.Array(Uuid, {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      description: 'Groups of the proposal. The older versions that they have are replaced',
    }),
    rings: Type.Optional({
      ...rings,
      description: 'Rings of the rollout of each group. Default: a tenth of the computers, then the rest',
    }),
    ...rolloutProperties,
  },
  { title: 'CreatePackageUpgradeRequest' },
)

const RolloutOfUpgrade = closed(
  {
    rolloutId: Uuid,
    name: CreateRolloutRequest.properties.name,
    groupId: Uuid,
    state: RolloutStateName,
    isRollBack: Type.Boolean({ examples: [false], description: 'Whether it brings the previous version back' }),
    computerCount: count('Computers in all rings', 120),
    succeededCount: count('Of these, successful', 11),
  },
  { title: 'RolloutOfUpgrade' },
)

export const PackageUpgrade = closed(
  {
    upgradeId: Uuid,
    packageId: { ...Uuid, description: 'The new version' },
    name: nullable({ ...name, description: 'Its name; null if it was deleted' }),
    version,
    state: enumOf(upgradeStates, {
      title: 'PackageUpgradeState',
      description:
        'Completed: all rings are done. Cancelled: a rollout was cancelled, and the groups keep the new version',
    }),
    createdBy: text(255, 'packaging', 'Name of the principal that started it'),
    createdAtUtc: Instant,
    rolledBackBy: nullable(text(255, 'packaging', 'Name of the principal that rolled it back')),
    rolledBackAtUtc: nullable(Instant),
    groups: Type.Array(
      closed(
        {
          groupId: Uuid,
          path: nullable(groupPath('Names of the group and of its ancestors; null if it was deleted')),
          oldPackageId: { ...Uuid, description: 'The version that it had' },
          oldVersion: version,
        },
        { title: 'GroupOfUpgrade' },
      ),
    ),
    rollouts: Type.Array(RolloutOfUpgrade, {
      description: 'One for each group that has no group of the upgrade above it, and those of the rollback',
    }),
  },
  { title: 'PackageUpgrade' },
)

export const UpgradePath = closed({ id: Uuid })

export const RolledBackUpgrade = closed(
  {
    computerCount: count('Computers that get the previous version again'),
    withdrawnCount: count('Computers on which the new version was pending, which was withdrawn', 3),
    groups: Type.Array(
      closed(
        {
          groupId: Uuid,
          path: nullable(groupPath('Names of the group and of its ancestors; null if it was deleted')),
          oldPackageId: { ...Uuid, description: 'The version that it gets again' },
          oldVersion: version,
          obstacle: nullable(
            enumOf(rollBackObstacles, {
              title: 'RollBackObstacle',
              description:
                'Why the group keeps what it has. NoContent: the files of the previous version are missing or have changed. ' +
                'NoExactVersion: it comes from a repository, which would give its newest version again. ' +
                'AssignmentChanged: the group no longer has the new version',
            }),
          ),
        },
        { title: 'RolledBackGroup' },
      ),
    ),
    upgrade: PackageUpgrade,
  },
  { title: 'RolledBackUpgrade' },
)

export const UnusedPackages = closed(
  {
    items: Type.Array(
      closed(
        {
          id: Uuid,
          name,
          version,
          revision,
          platform: LinePlatformName,
          state: VersionStateName,
          importedAtUtc: Instant,
          isNewest: Type.Boolean({
            examples: [false],
            description: 'Whether it is the newest version of its line, which may wait to be used',
          }),
          sizeBytes: bytes('Size of all files'),
          freedBytes: bytes('What the deletion of this one alone frees: files that no other package has'),
        },
        { title: 'UnusedPackage' },
      ),
      { description: 'By name, the newest version of each line first' },
    ),
    freedBytes: bytes('What the deletion of all of them frees'),
  },
  { title: 'UnusedPackages' },
)

export const DeleteUnusedRequest = closed(
  {
    packageIds: Type.Array(Uuid, {
      minItems: 1,
      maxItems: 1_000,
      uniqueItems: true,
      description: 'Packages of the list of unused packages',
    }),
    expectedPackages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        examples: [3],
        description: 'How many packages the caller expects to delete. Nothing is deleted if it is another number',
      }),
    ),
  },
  { title: 'DeleteUnusedPackagesRequest' },
)

export const DeletedPackages = closed(
  {
    deletedCount: count('How many packages were deleted', 3),
    freedBytes: bytes('Size of the content that no package has any more. It is purged within hours'),
    deleted: Type.Array(text(500, '7-Zip 23.01', 'Name and version'), { description: 'The packages, by name' }),
  },
  { title: 'DeletedPackages' },
)
