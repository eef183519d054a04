import {
  closed,
  enumOf,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  nullable,
  sha256,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { downloadStatuses } from '../files/patch-file-rows.ts'
import { PatchTypeFilter, PatchTypeSchema, patchTypeNumbers } from '../patch-type-schemas.ts'
import { patchTypeNames } from '../patch-types.ts'

export const PatchPath = closed({ patchId: Id })

/** The type as a criterion in a body, where it may be null. */
const PatchTypeCriterion = Type.Unsafe<string | number | null>({
  ...PatchTypeFilter,
  type: ['string', 'integer', 'null'],
  enum: [...patchTypeNames, ...patchTypeNumbers, null],
})

// PostgreSQL has no year 0.
export const DateOnly = Type.String({ format: 'date', pattern: '^(?!0000)', examples: ['2026-03-11'] })

const Score = Type.Number({ minimum: 0, maximum: 10, examples: [7.5] })
const MinScore = Type.Number({ examples: [7.5], description: 'Only patches with at least this score' })

/** Properties of a patch in the catalog, in PM groups and on computers. */
export const patchProperties = {
  patchId: Id,
  patchName: nullable(text(500, 'openssl 3.0.16-1~deb12u1')),
  qNumber: nullable(text(255, 'KB5034441', 'Number of the article in which the vendor describes the patch')),
  bulletinId: nullable(text(255, 'DSA-5532-1')),
  bulletinTitle: nullable(text(1_000, 'openssl security update')),
  vendorInformationPage: nullable(text(2_048, 'https://vendor.example.org/advisories/DSA-5532-1')),
  vendorSeverity: nullable(text(255, 'Critical')),
  patchType: PatchTypeSchema,
  patchTypeName: nullable(text(100, 'Security patch', 'Name of the type for people')),
  releaseDate: nullable(DateOnly),
  updateDate: nullable(DateOnly),
  bulletinReviseDate: nullable(DateOnly),
  cvssScore: nullable(Score),
  vrrScore: nullable(Score),
  uninstallable: nullable(Type.Boolean({ examples: [true] })),
  sizeBytes: nullable(Type.Integer({ minimum: 0, format: 'int64', examples: [2_048_000] })),
  cves: Type.Array(Type.String(), {
    examples: [['CVE-2026-12345']],
    description: 'Vulnerabilities that the patch fixes. Not part of the original contract.',
  }),
  isConfirmed: Type.Boolean({
    examples: [true],
    description:
      'Whether a catalog or an advisory names the patch. If not, the details come from the first computer that reported ' +
      'it, and may be wrong. Not part of the original contract.',
  }),
}

const count = (description: string) => Type.Integer({ minimum: 0, format: 'int32', examples: [1], description })

export const Patch = closed(
  {
    ...patchProperties,
    patchUid: Uuid,
    isServicePack: Type.Boolean({ examples: [false] }),
    servicePack: nullable(text(255, 'SP1', 'The service pack that the patch is or requires')),
    productCount: count('Number of product versions that the patch applies to'),
    approvedProductCount: count('Number of product versions that the patch is approved for'),
    fileCount: count('Number of files that catalogs and advisories name. Not part of the original contract.'),
    storedFileCount: count('Number of these files in the package store. Not part of the original contract.'),
  },
  { title: 'Patch' },
)

const filterText = (example: string, description: string) => Type.Optional(nullable(text(255, example, description)))

/** Criteria that several searches for patches have in common. */
export const patchCriteria = {
  qNumber: filterText('KB5034441', 'Part of the number'),
  bulletinId: filterText('DSA-5532-1', 'Part of the id'),
  vendorSeverity: filterText('Critical', 'Part of the severity'),
  productName: filterText('Debian', 'Part of the name of a product that the patch applies to'),
  servicePack: filterText('SP1', 'Part of the service pack'),
  patchType: Type.Optional(PatchTypeCriterion),
  releasedAfter: Type.Optional(nullable({ ...DateOnly, description: 'Only patches released on or after this day' })),
  updatedAfter: Type.Optional(nullable({ ...DateOnly, description: 'Only patches updated on or after this day' })),
  minCvssScore: Type.Optional(nullable(MinScore)),
  minVrrScore: Type.Optional(nullable(MinScore)),
}

export const PatchSearchFilter = closed(
  {
    ...patchCriteria,
    patchName: filterText('openssl', 'Part of the name'),
    bulletinTitle: filterText('security update', 'Part of the title'),
    cve: filterText('CVE-2026-12345', 'The complete id of a vulnerability that the patch fixes'),
    isServicePack: Type.Optional(nullable(Type.Boolean({ examples: [false] }))),
    isApproved: Type.Optional(
      nullable(
        Type.Boolean({ examples: [true], description: 'Whether the patch is approved for at least one product' }),
      ),
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
    linkItems: count('Number of files or packages of the patch for this product'),
    isApproved: Type.Boolean({ examples: [true] }),
    approvedUtc: nullable(Instant),
  },
  { title: 'PatchProduct' },
)

export const PatchFile = closed(
  {
    patchId: Id,
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    name: Type.String({
      examples: ['openssl_3.0.16-1~deb12u1_amd64.deb'],
      description: 'Name of the file on computers',
    }),
    url: Type.String({ examples: ['https://download.vendor.example.org/openssl_3.0.16-1~deb12u1_amd64.deb'] }),
    sha256: sha256('Hash of the file, from the catalog or the advisory'),
    sizeBytes: nullable(
      Type.Integer({ minimum: 0, format: 'int64', examples: [2_048_000], description: 'Null until it is stored' }),
    ),
    status: enumOf(downloadStatuses, {
      title: 'PatchFileStatus',
      description:
        'NotRequested: the patch is neither approved nor in a patch management group. NotAllowed: the settings do not ' +
        'list the host. Stored: computers get the file.',
    }),
    message: nullable(text(1_000, 'download.vendor.example.org answered 404.', 'Why the file is not stored')),
    progress: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        examples: [40],
        description: 'Percent; null until the download starts',
      }),
    ),
    storedUtc: nullable(Instant),
  },
  { title: 'PatchFile' },
)

export const PatchDownloads = closed(
  {
    trackingIds: Type.Array(Uuid, {
      description: 'The jobs that were enqueued, as listQueueEntries shows them; empty if nothing is left to download',
    }),
  },
  { title: 'PatchDownloads' },
)

export const PatchApproval = closed(
  {
    patchId: Id,
    productId: nullable({ ...Id, description: 'Null if the request is about all products of the patch' }),
    patchCount: count('Number of patches in the request; always 1'),
    linkItemsTotal: count('Number of link items of the patch for these products'),
    reachedComputers: {
      ...count('Computers that lack the patch and to which a patch management group with it is assigned'),
      [extensionKeyword]: true,
    },
  },
  { title: 'PatchApproval' },
)

export const patchCatalogFormats = ['Csaf', 'Muster'] as const

export const PatchCatalogImportRequest = closed(
  {
    folderPath: Type.String({
      examples: ['catalogs/vendor'],
      description: 'Path of a folder or a file below the root of the package store, with / or \\ as separator',
    }),
    format: Type.Optional(
      nullable(
        enumOf(patchCatalogFormats, {
          description:
            'Csaf for CSAF 2.0 advisories, Muster for catalogs in the Muster format. By default, the format is detected for each file.',
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
      Type.Integer({ minimum: 0, maximum: 100, examples: [100], description: 'Percent; null until the import starts' }),
    ),
    documents: count('Number of documents read'),
    imported: count('Number of documents with fixes that were new or newer than the imported revision'),
    withoutFix: count('Number of such documents that name no fix, as many VEX documents do. They are not patches.'),
    unchanged: count('Number of documents that were already imported in this or a newer revision'),
    refused: count('Number of documents that were refused'),
    faults: Type.Array(
      closed(
        {
          file: Type.String({ examples: ['2026/broken.json'] }),
          reason: Type.String({ examples: ['document.tracking.id is required'] }),
        },
        { title: 'PatchCatalogFault' },
      ),
      { description: 'The first 1000 refused documents, with the reason' },
    ),
    requestedAtUtc: Instant,
    finishedAtUtc: nullable(Instant),
  },
  { title: 'PatchCatalogImportStatus' },
)

export const ProductScope = closed({
  productId: Type.Optional({ ...Int32, examples: [3], description: 'Id of a product version of the patch' }),
})
