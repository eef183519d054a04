import {
  closed,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  nullable,
  type Static,
  Type,
  text,
  Uuid,
} from '../../../../platform/schema.ts'
import { patchCriteria, patchProperties } from '../../../patches/api/schemas.ts'
import { PmGroupCategorySchema } from '../pm-groups/schemas.ts'

const count = (description: string) => nullable({ ...Int32, minimum: 0, examples: [2], description })

export const PatchStatus = closed(
  {
    clientId: Id,
    patchScanDate: nullable(Instant),
    patchDefinitionDate: nullable(Instant),
    definitionVersion: nullable(text(255, '2026.03.11')),
    missingSecurityPatches: count('Number of missing patches of type SecurityPatch'),
    missingNonSecurityPatches: count('Number of missing patches of the types SecurityTool and NonSecurityPatch'),
    missingServicePacks: count('Number of missing service packs of any type'),
    hasSecurityRisks: nullable(Type.Boolean({ examples: [true], description: 'Whether a security patch is missing' })),
    ignoredPatches: count(
      'Number of patches of the last scan that were not stored: no catalog and no other computer knows them, and the ' +
        'quota of the computer or of the fleet is used up. Not part of the original contract.',
    ),
    isOfPreviousSystem: {
      ...nullable(
        Type.Boolean({
          examples: [false],
          description: 'An operating system has been installed since the scan, which describes the previous one',
        }),
      ),
      [extensionKeyword]: true,
    },
  },
  { title: 'PatchStatus', description: 'Counts and dates are null until the first patch scan.' },
)

/** What the last scan of the computer reported about a patch that it lacks. */
const stateOnComputer = {
  lockedBy: {
    ...nullable(
      text(255, 'apt-mark hold', 'The lock on the computer because of which a missing patch is not installed'),
    ),
    [extensionKeyword]: true,
  },
  restartSuggested: {
    ...nullable(
      Type.Boolean({
        examples: [true],
        description:
          'Whether a restart should follow the installation of a missing patch; null if the scan could not know',
      }),
    ),
    [extensionKeyword]: true,
  },
}

export const PatchDetail = closed(
  {
    scanStatus: nullable(text(50, 'Missing', 'Missing or Installed')),
    ...patchProperties,
    productId: Id,
    ...stateOnComputer,
  },
  { title: 'PatchDetail' },
)

export const PatchDetailFilter = closed(
  {
    ...patchCriteria,
    scanStatus: Type.Optional(nullable(text(255, 'Missing', 'Part of the status, which is Missing or Installed'))),
    isAssigned: Type.Optional(
      nullable(
        Type.Boolean({
          examples: [true],
          description: 'Whether a patch management group of the computer contains the patch',
        }),
      ),
    ),
  },
  { title: 'PatchDetailFilter' },
)

export type PatchDetailCriteria = Partial<Static<typeof PatchDetailFilter>>

export const PatchStatusDevice = closed(
  {
    id: { ...Id, description: 'Id of the patch, like `patchId`' },
    clientId: { ...Id, description: 'Id of the computer. Not part of the original contract.' },
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    lastScanDate: nullable(Instant),
    scanStatus: nullable(text(50, 'Missing', 'Missing or Installed')),
    patchStatus: nullable(text(50, 'Approved', 'Approved or NotApproved, for the product')),
    isAssigned: Type.Boolean({
      examples: [true],
      description: 'Whether a patch management group of the computer contains the patch',
    }),
    installedDate: nullable(Instant),
    qNumber: nullable(text(255, 'KB5034441')),
    patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
    productName: nullable(text(500, 'Debian GNU/Linux 12')),
    patchId: Id,
    patchUid: Uuid,
    productId: Id,
    ...stateOnComputer,
  },
  { title: 'PatchStatusDevice' },
)

export const ComputerPmGroup = closed(
  {
    treeId: { ...Uuid, description: 'The group that assigns the patch management group' },
    pmGroupId: Id,
    pmGroupName: Type.String({ examples: ['Servers, critical'] }),
    category: PmGroupCategorySchema,
    isTestAssignment: Type.Boolean({
      examples: [false],
      description: 'Whether the computer gets the patches without an approval',
    }),
    tier: {
      ...Int32,
      minimum: 0,
      examples: [0],
      description: 'Number of levels between a group of the computer and the assigning group; 0 if they are the same',
    },
  },
  { title: 'ComputerPmGroup' },
)
