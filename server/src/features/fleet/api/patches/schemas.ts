import { closed, enumOf, Id, Instant, nullable, pagedResultOf, Type, Uuid } from '../../../../platform/schema.ts'
import { groupPath } from '../../../groups/group-path.ts'
import { PatchPmGroup, PmGroup, PmGroupAssignment } from '../../../patch-management/api/pm-groups/schemas.ts'
import { PatchSeveritySchema } from '../../../patches/api/ruling-schemas.ts'
import { Patch, PatchFile, PatchProduct } from '../../../patches/api/schemas.ts'
import { releaseAges } from '../../../patches/release-ages.ts'
import { ageOfStates, countSchema } from '../schemas.ts'

const missing = countSchema('Computers that lack it, counted once for each product version')
const installed = countSchema('Computers that have it, counted once for each product version')

const FleetPatch = closed(
  { ...Patch.properties, severity: PatchSeveritySchema, missing, installed },
  { title: 'FleetPatch' },
)

export const FleetPatches = closed(
  { ...pagedResultOf(FleetPatch).properties, ...ageOfStates },
  { title: 'FleetPatches' },
)

const compliance = {
  computers: countSchema('Computers'),
  scanned: countSchema('Of these, with a patch scan'),
  compliant: countSchema('Of these, without a missing security patch'),
}

const sla = {
  withinSla: countSchema('Of the scanned computers, those that lack no patch beyond its SLA'),
  overdueComputers: countSchema('Computers that lack a patch beyond its SLA'),
  overduePatches: countSchema(
    'How often a patch is missing beyond its SLA, once for each computer and product version',
  ),
}

export const PatchOverview = closed(
  {
    fleet: nullable(
      closed(
        { ...compliance, ...sla },
        { title: 'PatchCompliance', description: 'All computers; null before the first count' },
      ),
    ),
    cells: Type.Array(
      closed(
        {
          severity: PatchSeveritySchema,
          age: enumOf(releaseAges, { title: 'ReleaseAge', description: 'The time since the release' }),
          patches: countSchema('Patches that at least one computer lacks'),
          missing: countSchema('How often they are missing'),
          overdue: countSchema('How often they are missing beyond their SLA'),
        },
        { title: 'PatchCell' },
      ),
      { description: 'Missing patches by severity and age; combinations without any are left out' },
    ),
    groups: Type.Array(
      closed(
        {
          groupId: Uuid,
          name: Type.String({ examples: ['Workstations'] }),
          path: Type.String({ examples: ['Configuration/Berlin/Workstations'] }),
          ...compliance,
        },
        { title: 'GroupPatchCompliance' },
      ),
      { description: 'Direct members of the groups with the most of them, at most 100' },
    ),
    ...ageOfStates,
  },
  { title: 'PatchOverview' },
)

const overdueOfSeverity = (severity: string) =>
  countSchema(`Computers that lack a patch beyond its SLA that is ${severity}`)

const missingOfSeverity = (severity: string) => countSchema(`Computers whose most severe missing patch is ${severity}`)

export const PatchComplianceOfGroups = closed(
  {
    ...pagedResultOf(
      closed(
        {
          groupId: Uuid,
          path: groupPath('The names of the group and of its ancestors'),
          members: countSchema('Direct members of the group'),
          ...compliance,
          computers: countSchema('Computers of the group and of the groups below it, each once'),
          missing: closed(
            {
              critical: missingOfSeverity('critical'),
              important: missingOfSeverity('important'),
              moderate: missingOfSeverity('moderate'),
              low: missingOfSeverity('low'),
              unknown: missingOfSeverity('not rated'),
            },
            { title: 'ComputersByMissingSeverity' },
          ),
          lackingComputers: countSchema('Computers that lack a patch that meets the filter'),
          missingPatches: countSchema('How often such patches are missing, once for each computer and product version'),
          withinSla: countSchema('Of the scanned computers, those that lack no such patch beyond its SLA'),
          overdueComputers: countSchema('Computers that lack such a patch beyond its SLA'),
          overduePatches: countSchema('How often such patches are missing beyond their SLA'),
          overdue: closed(
            {
              critical: overdueOfSeverity('critical'),
              important: overdueOfSeverity('important'),
              moderate: overdueOfSeverity('moderate'),
              low: overdueOfSeverity('low'),
              unrated: overdueOfSeverity('not rated'),
            },
            { title: 'ComputersByOverdueSeverity' },
          ),
        },
        { title: 'PatchComplianceOfGroup' },
      ),
    ).properties,
    ...ageOfStates,
  },
  { title: 'PatchComplianceOfGroups' },
)

export const PatchPage = closed(
  {
    patch: FleetPatch,
    products: Type.Array(closed({ ...PatchProduct.properties, missing, installed }, { title: 'ProductOfPatch' }), {
      description: 'Product versions, those that most computers lack it for first; at most 200',
    }),
    files: Type.Array(PatchFile, { description: 'By name; at most 200' }),
    pmGroups: Type.Array(
      closed(
        {
          pmGroupId: PatchPmGroup.properties.pmGroupId,
          pmGroupName: PatchPmGroup.properties.pmGroupName,
          productId: PatchPmGroup.properties.productId,
          productName: PatchPmGroup.properties.productName,
        },
        { title: 'PmGroupOfPatch' },
      ),
      { description: 'Patch management groups with the patch, by name; at most 200' },
    ),
    ...ageOfStates,
  },
  { title: 'PatchPage' },
)

export const PatchGroupPage = closed(
  {
    pmGroup: PmGroup,
    assignments: Type.Array(PmGroupAssignment, { description: 'By path; at most 500' }),
    computers: countSchema('Computers to which the group is assigned'),
    missing: countSchema('How often its patches are missing on any computer, as of the last count of the fleet'),
    emergency: nullable(
      closed(
        {
          groupId: { ...Uuid, description: 'The assignment group that was created for the emergency' },
          startedUtc: Instant,
          computers: countSchema('Its computers'),
        },
        { title: 'EmergencyOfGroup', description: 'Null without emergency patching' },
      ),
    ),
    ...ageOfStates,
  },
  { title: 'PatchGroupPage' },
)

export const EmergencyCandidate = closed(
  {
    clientId: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    missingPatches: countSchema('Patches of the group that its last scan found missing'),
    lastSeenUtc: nullable({ ...Instant, description: 'Last contact of the agent' }),
    isInEmergency: Type.Boolean({ examples: [false], description: 'Whether emergency patching includes it already' }),
  },
  { title: 'EmergencyCandidate' },
)
