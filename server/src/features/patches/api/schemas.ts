import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { PatchTypeFilter, PatchTypeSchema, patchTypeNumbers } from '../patch-type-schemas.ts'
import { patchTypeNames } from '../patch-types.ts'

export const PatchPath = closed({ patchId: Id })

/** The type as a criterion of a body, where it may be null. */
const PatchTypeCriterion = Type.Unsafe<string | number | null>({
  ...PatchTypeFilter,
  type: ['string', 'integer', 'null'],
  enum: [...patchTypeNames, ...patchTypeNumbers, null],
})

// Without the year 0, which the database does not know.
export const DateOnly = Type.String({ format: 'date', pattern: '^(?!0000)', examples: ['2026-03-11'] })

const Score = Type.Number({ minimum: 0, maximum: 10, examples: [7.5] })
const LowestScore = Type.Number({ examples: [7.5], description: 'Only patches with this score or more' })

/** What both the catalog and the patches of a computer show. */
export const patchProperties = {
  patchId: Id,
  patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
  qNumber: nullable(text(255, 'KB5034441', 'Number of the article in which the vendor describes the patch')),
  bulletinId: nullable(text(255, 'DSA-5532-1')),
  bulletinTitle: nullable(text(1_000, 'openssl security update')),
  vendorInformationPage: nullable(text(2_048, 'https://vendor.example.org/advisories/DSA-5532-1')),
  vendorSeverity: nullable(text(255, 'Critical')),
  patchType: PatchTypeSchema,
  patchTypeName: nullable(text(100, 'Security patch', 'The type in words')),
  releaseDate: nullable(DateOnly),
  updateDate: nullable(DateOnly),
  bulletinReviseDate: nullable(DateOnly),
  cvssScore: nullable(Score),
  vrrScore: nullable(Score),
  uninstallable: nullable(Type.Boolean({ examples: [true] })),
  sizeBytes: nullable(Type.Integer({ minimum: 0, format: 'int64', examples: [2_048_000] })),
  cves: Type.Array(Type.String(), { examples: [['CVE-2026-12345']], description: 'Beyond the contract' }),
}

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const Patch = closed(
  {
    ...patchProperties,
    patchUid: Uuid,
    isServicePack: Type.Boolean({ examples: [false] }),
    servicePack: nullable(text(255, 'SP1', 'The service pack that it is, or that it needs')),
    productCount: count('Product versions that it is for'),
    approvedProductCount: count('Of these, the ones for which it is approved'),
  },
  { title: 'Patch' },
)

const filterText = (example: string, description: string) => Type.Optional(nullable(text(255, example, description)))

/** Criteria about patches that several searches take. */
export const patchCriteria = {
  qNumber: filterText('KB5034441', 'The whole number'),
  bulletinId: filterText('DSA-5532-1', 'The whole id'),
  vendorSeverity: filterText('Critical', 'Part of the severity'),
  productName: filterText('Debian', 'Part of the name of a product that the patch is for'),
  servicePack: filterText('SP1', 'Part of the service pack'),
  patchType: Type.Optional(PatchTypeCriterion),
  releasedAfter: Type.Optional(nullable({ ...DateOnly, description: 'Released on this day or later' })),
  updatedAfter: Type.Optional(nullable({ ...DateOnly, description: 'Updated on this day or later' })),
  minCvssScore: Type.Optional(nullable(LowestScore)),
  minVrrScore: Type.Optional(nullable(LowestScore)),
}

export const PatchSearchFilter = closed(
  {
    ...patchCriteria,
    patchName: filterText('openssl', 'Part of the name'),
    bulletinTitle: filterText('security update', 'Part of the title'),
    cve: filterText('CVE-2026-12345', 'The whole id of a vulnerability that it closes'),
    isServicePack: Type.Optional(nullable(Type.Boolean({ examples: [false] }))),
    isApproved: Type.Optional(
      nullable(Type.Boolean({ examples: [true], description: 'Whether it is approved for one of its products' })),
    ),
  },
  { title: 'PatchSearchFilter' },
)

export const PatchProduct = closed(
  {
    patchId: Id,
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    vendor: nullable(text(255, 'Debian')),
    linkItems: count('Files or packages that the patch has for this product'),
    isApproved: Type.Boolean({ examples: [true] }),
    approvedUtc: nullable(Instant),
  },
  { title: 'PatchProduct' },
)

export const PatchApproval = closed(
  {
    patchId: Id,
    productId: nullable({ ...Id, description: 'Null where all products of the patch are meant' }),
    patchCount: count('Patches that are meant'),
    linkItemsTotal: count('Their link items, for the products that are meant'),
  },
  { title: 'PatchApproval' },
)

export const PatchPmGroup = closed(
  {
    pmGroupId: Id,
    pmGroupName: Type.String({ examples: ['Servers, critical'] }),
    category: enumOf(['Patch', 'ServicePack'], { title: 'PmGroupCategory' }),
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
  },
  { title: 'PatchPmGroup' },
)

export const patchCatalogFormats = ['Csaf', 'Muster'] as const

export const PatchCatalogImportRequest = closed(
  {
    folderPath: Type.String({
      examples: ['catalogs/vendor'],
      description:
        'Path of a folder, or of one file, below the root of the package store, with / or \\ between its parts.',
    }),
    format: Type.Optional(
      nullable(
        enumOf(patchCatalogFormats, {
          description: 'Csaf for CSAF 2.0 advisories, Muster for our own catalog. Without it, each file tells its own.',
        }),
      ),
    ),
  },
  { title: 'PatchCatalogImportRequest' },
)

export const PatchCatalogImportStatus = closed(
  {
    trackingId: Uuid,
    status: enumOf(['Pending', 'Running', 'Success', 'Failed']),
    message: nullable(text(1_000, 'Imported 4998 of 5000 documents; 2 were refused.')),
    progress: nullable(
      Type.Integer({ minimum: 0, maximum: 100, examples: [100], description: 'Percent; null before it begins' }),
    ),
    documents: count('Documents that were read'),
    imported: count('Of these, new or changed since the last import'),
    unchanged: count('Of these, known in this revision'),
    refused: count('Of these, refused'),
    faults: Type.Array(
      closed(
        {
          file: Type.String({ examples: ['2026/broken.json'] }),
          reason: Type.String({ examples: ['document.tracking.id is required'] }),
        },
        { title: 'PatchCatalogFault' },
      ),
      { description: 'The first 1000 documents that were refused, with the reason' },
    ),
    requestedAtUtc: Instant,
    finishedAtUtc: nullable(Instant),
  },
  { title: 'PatchCatalogImportStatus' },
)

export const ProductScope = closed({
  productId: Type.Optional({ ...Int32, examples: [3], description: 'The product version that is meant' }),
})
