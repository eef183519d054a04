import { closed, enumOf, Id, Instant, nullable, type TSchema, Type, Uuid } from '../../../../platform/schema.ts'
import { patchSeverities } from '../../../patches/patch-severities.ts'
import { RolloutStateName } from '../../../rollouts/api/schemas.ts'
import { computerMatches } from '../../search/find-computers.ts'
import { line } from '../page-schemas.ts'
import { countSchema, FleetComputer } from '../schemas.ts'

const { hostname, domain, operatingSystem, loggedOnUser, serialNumber, healthStatus } = FleetComputer.properties

const FoundComputer = closed(
  {
    ...{ id: Id, hostname, domain, operatingSystem, loggedOnUser, serialNumber, healthStatus },
    matchedBy: enumOf(computerMatches, { title: 'ComputerMatch', description: 'The value that matches' }),
    matchedText: line('PF3K9XYZ', 'That value'),
  },
  { title: 'FoundComputer' },
)

const FoundUser = closed(
  { name: line('CORP\\alice', 'User who was signed in at the last report of a computer') },
  { title: 'FoundUser' },
)

const FoundPackage = closed(
  {
    id: Uuid,
    name: line('7-Zip', 'Name of the package'),
    version: nullable(line('24.09', 'Version in the manifest')),
    isOperational: Type.Boolean({ examples: [true], description: 'Whether the package is released' }),
  },
  { title: 'FoundPackage' },
)

const FoundGroup = closed(
  {
    groupId: Uuid,
    name: line('Finance', 'Name of the group'),
    path: line('Configuration/Berlin/Finance', 'Names of its ancestors and its own'),
  },
  { title: 'FoundGroup' },
)

const FoundRollout = closed(
  { id: Uuid, name: line('7-Zip 24.09', 'Name of the rollout'), state: RolloutStateName, createdAtUtc: Instant },
  { title: 'FoundRollout' },
)

const FoundCve = closed(
  {
    cve: line('CVE-2026-12345', 'Number of the vulnerability'),
    patchCount: countSchema('Number of patches that fix it'),
  },
  { title: 'FoundCve' },
)

const FoundPatch = closed(
  {
    patchId: Id,
    patchName: line('KB5034441', 'Name of the patch'),
    qNumber: nullable(line('KB5034441', 'Number of the article about the patch')),
    bulletinTitle: nullable(line('Security update for Windows', 'Title of the bulletin')),
    severity: enumOf(patchSeverities, { description: 'Severity by the vendor' }),
    missing: countSchema('Number of computers that lack the patch, at the last count of the fleet'),
  },
  { title: 'FoundPatch' },
)

const FoundPrincipal = closed(
  {
    id: Id,
    kind: enumOf(['local', 'client', 'user'], { title: 'PrincipalKind', description: 'How the principal signs in' }),
    name: line('deploy-bot', 'Client ID of a local principal, display name or subject of another'),
  },
  { title: 'FoundPrincipal' },
)

const found = <S extends TSchema>(item: S, role: string, description: string) =>
  Type.Unsafe<S['static'][] | null>({
    type: ['array', 'null'],
    items: item,
    description: `${description}; null without the role ${role}`,
  })

export const FoundInFleet = closed(
  {
    computers: found(FoundComputer, 'computer.read', 'Computers by name, serial number, user, address or id'),
    users: found(FoundUser, 'computer.read', 'Users of computers'),
    packages: found(FoundPackage, 'package.read', 'Packages by name, version or tag'),
    groups: found(FoundGroup, 'group.read', 'Groups by the names in their path'),
    rollouts: found(FoundRollout, 'computer.read', 'Rollouts by name; those that have not ended come first'),
    cves: found(FoundCve, 'pm.read', 'Vulnerabilities by the beginning of their number'),
    patches: found(FoundPatch, 'pm.read', 'Patches by number, name, title or vulnerability'),
    principals: found(FoundPrincipal, 'admin.manage', 'Principals by name, description or subject'),
  },
  { title: 'FoundInFleet' },
)
