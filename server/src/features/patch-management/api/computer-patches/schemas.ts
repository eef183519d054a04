import {
  closed,
  enumOf,
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
import { pmGroupCategories } from '../../pm-groups.ts'

const count = (description: string) => nullable({ ...Int32, minimum: 0, examples: [2], description })

export const PatchStatus = closed(
  {
    clientId: Id,
    patchScanDate: nullable(Instant),
    patchDefinitionDate: nullable(Instant),
    definitionVersion: nullable(text(255, '2026.03.11')),
    missingSecurityPatches: count('Of type SecurityPatch'),
    missingNonSecurityPatches: count('Of the types SecurityTool and NonSecurityPatch'),
    missingServicePacks: count('Service packs, whatever their type'),
    hasSecurityRisks: nullable(Type.Boolean({ examples: [true], description: 'A security patch is missing' })),
  },
  { title: 'PatchStatus', description: 'Counts and dates are null as long as there was no patch scan.' },
)

export const PatchDetail = closed(
  {
    scanStatus: nullable(text(50, 'Missing', 'Missing or Installed')),
    ...patchProperties,
    productId: Id,
  },
  { title: 'PatchDetail' },
)

export const PatchDetailFilter = closed(
  {
    ...patchCriteria,
    scanStatus: Type.Optional(nullable(text(255, 'Missing', 'Missing or Installed'))),
    isAssigned: Type.Optional(
      nullable(
        Type.Boolean({ examples: [true], description: "Whether one of the computer's PM groups has the patch" }),
      ),
    ),
  },
  { title: 'PatchDetailFilter' },
)

export type PatchDetailCriteria = Partial<Static<typeof PatchDetailFilter>>

export const PatchStatusDevice = closed(
  {
    id: { ...Id, description: 'The patch' },
    clientId: { ...Id, description: 'Beyond the contract: the computer' },
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    lastScanDate: nullable(Instant),
    scanStatus: nullable(text(50, 'Missing', 'Missing or Installed')),
    patchStatus: nullable(text(50, 'Approved', 'Whether the patch is Approved for the product, or NotApproved')),
    isAssigned: Type.Boolean({ examples: [true], description: "One of the computer's PM groups has the patch" }),
    installedDate: nullable(Instant),
    qNumber: nullable(text(255, 'KB5034441')),
    patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
    productName: nullable(text(500, 'Debian GNU/Linux 12')),
    patchId: Id,
    patchUid: Uuid,
    productId: Id,
  },
  { title: 'PatchStatusDevice' },
)

export const PmGroupCategory = enumOf(pmGroupCategories, { title: 'PmGroupCategory' })

export const ComputerPmGroup = closed(
  {
    treeId: { ...Uuid, description: 'The group that holds the assignment' },
    pmGroupId: Id,
    pmGroupName: Type.String({ examples: ['Servers, critical'] }),
    category: PmGroupCategory,
    isTestAssignment: Type.Boolean({
      examples: [false],
      description: 'True: the computer gets the patches before they are approved',
    }),
    tier: { ...Int32, minimum: 0, examples: [0], description: 'Steps from a group of the computer up to that group' },
  },
  { title: 'ComputerPmGroup' },
)
