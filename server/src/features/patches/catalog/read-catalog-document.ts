import { closed, enumOf, type Static, Type, text } from '../../../platform/schema.ts'
import { patchTypeNames } from '../patch-types.ts'
import { checkDocument } from './check-document.ts'
import { toDocumentFile } from './document-files.ts'
import { DocumentFault, type PatchDetails, type PatchDocument, toStorableText } from './patch-document.ts'

export const catalogFormat = 'muster-patch-catalog/1'

const optional = Type.Optional
const identity = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '[^\\s\\u0085]', examples: [example], description })
const day = optional(Type.String({ format: 'date', pattern: '^(?!0000)', examples: ['2026-03-11'] }))
const score = (description: string) => optional(Type.Number({ minimum: 0, maximum: 10, examples: [7.5], description }))

const Product = closed(
  {
    name: identity(500, 'Example Office 2026', 'Name of the product version, as patch scans report it'),
    vendor: optional(text(255, 'Example Corporation')),
    linkItems: optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 1,
        examples: [1],
        description: 'Number of files or packages for this product',
      }),
    ),
  },
  { title: 'PatchCatalogProduct' },
)

const File = closed(
  {
    url: Type.String({
      maxLength: 2_048,
      pattern: '^https?://',
      examples: ['https://download.vendor.example.org/KB5034441-x64.msu'],
      description: 'Where the service downloads the file, if the host is listed in its settings',
    }),
    sha256: Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description: 'Hash of the file. A file with another hash is refused.',
    }),
    product: optional(
      identity(500, 'Example Office 2026', 'The product that the file is for; without it, all products of the patch'),
    ),
  },
  { title: 'PatchCatalogFile' },
)

const CatalogPatch = closed(
  {
    key: identity(255, 'KB5034441', 'Identifies the patch in patch scans and across catalogs'),
    name: optional(text(500, 'Update for Example Office 2026')),
    qNumber: optional(text(255, 'KB5034441')),
    bulletinId: optional(text(255, 'EX26-003')),
    bulletinTitle: optional(text(1_000, 'Security updates of March 2026')),
    vendorInformationPage: optional(text(2_048, 'https://vendor.example.org/EX26-003')),
    vendorSeverity: optional(
      text(255, 'Critical', 'Low, Moderate, Important or Critical. Any other text ranks below Low.'),
    ),
    patchType: optional(enumOf(patchTypeNames)),
    isServicePack: optional(Type.Boolean({ examples: [false] })),
    servicePack: optional(text(255, 'SP1')),
    releaseDate: day,
    updateDate: day,
    bulletinReviseDate: day,
    cvssScore: score('CVSS score of the most severe vulnerability'),
    vrrScore: score('Vulnerability risk rating'),
    uninstallable: optional(Type.Boolean({ examples: [true] })),
    sizeBytes: optional(Type.Integer({ minimum: 0, maximum: 2 ** 50, examples: [2_048_000] })),
    cves: optional(
      Type.Array(Type.String({ pattern: '^CVE-[0-9]{4}-[0-9]{4,19}$' }), {
        maxItems: 10_000,
        examples: [['CVE-2026-12345']],
      }),
    ),
    exploited: optional(
      Type.Boolean({ examples: [true], description: 'Whether a vulnerability that the patch fixes is exploited' }),
    ),
    products: Type.Array(Product, { minItems: 1, maxItems: 10_000 }),
    files: optional(
      Type.Array(File, { maxItems: 1_000, description: 'Files that computers get together with the fix package' }),
    ),
  },
  { title: 'PatchCatalogPatch' },
)

export const PatchCatalogDocument = closed(
  {
    $schema: optional(text(1_000, 'patch-catalog.schema.json', 'For editors; the import ignores it')),
    format: enumOf([catalogFormat]),
    name: identity(255, 'Example Corporation', 'Name of the catalog. A later catalog with the same name replaces it.'),
    version: identity(255, '2026.03.11', 'Version of the catalog, as the API shows it'),
    releasedUtc: Type.String({ format: 'date-time', examples: ['2026-03-11T00:00:00Z'] }),
    patches: Type.Array(CatalogPatch, { maxItems: 200_000 }),
  },
  { title: 'PatchCatalogDocument', description: 'A catalog of patches that are not published as CSAF advisories.' },
)

// Drops the keywords of TypeBox, which the validator of documents does not know.
const schema = JSON.parse(JSON.stringify(PatchCatalogDocument)) as object

/** Validates and reads a catalog in the Muster format. */
export function readCatalogDocument(content: unknown): PatchDocument {
  checkDocument(schema, content)
  const catalog = content as Static<typeof PatchCatalogDocument>
  requireUnique(catalog.patches.map(({ key }) => key))
  return {
    format: 'Muster',
    key: toStorableText(catalog.name, 255).toLowerCase(),
    revisedAt: new Date(catalog.releasedUtc),
    version: toStorableText(catalog.version, 255),
    patches: catalog.patches.map(({ key, products, files = [], ...details }) => {
      requireUnique(products.map(({ name }) => name))
      return {
        key: toStorableText(key, 255),
        details: toStorableDetails({ ...(details.isServicePack && { patchType: 'SoftwareDistribution' }), ...details }),
        products: products.map(({ name, vendor, linkItems = 1 }) => ({
          name: toStorableText(name, 500),
          ...(vendor && { vendor: toStorableText(vendor, 255) }),
          linkItems,
        })),
        files: files.map(({ url, sha256, product }) =>
          toDocumentFile(url, sha256, product && toStorableText(product, 500)),
        ),
      }
    }),
  }
}

function toStorableDetails(details: PatchDetails): PatchDetails {
  const entries = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? toStorableText(value, 2_048) : value,
  ])
  return Object.fromEntries(entries) as PatchDetails
}

function requireUnique(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    const same = toStorableText(name, 500).toLowerCase()
    if (seen.has(same)) throw new DocumentFault(`'${toStorableText(name, 100)}' is named twice`)
    seen.add(same)
  }
}
