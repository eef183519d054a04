import { patchTypeNames } from '../../../features/patches/patch-types.ts'
import { closed, enumOf, Id, Instant, nullable, Type, text } from '../../../platform/schema.ts'

const optionalText = (maxLength: number, example: string, description: string) =>
  Type.Optional(nullable(text(maxLength, example, description)))

/** Not blank, as the database requires it. */
const identity = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '[^\\s\\u0085]', examples: [example], description })

const PatchComponent = closed(
  {
    name: identity(255, 'libssl3', 'Name of the package'),
    version: identity(255, '3.0.16-1~deb12u1', 'Version of the package that the patch installs, with its epoch'),
    installedVersion: optionalText(255, '3.0.15-1~deb12u1', 'The version that the patch replaces'),
    sourceName: optionalText(255, 'openssl', 'Name of the source package from which the package is built'),
    sourceVersion: optionalText(255, '3.0.16-1~deb12u1', 'Version of the source package'),
    installedSourceVersion: optionalText(
      255,
      '3.0.15-1~deb12u1',
      'Version of the source package that the patch replaces',
    ),
  },
  {
    title: 'PatchComponent',
    description:
      'The package of a distribution that the patch installs. Advisories about it or its source package describe the patch.',
  },
)

const ScannedPatch = closed(
  {
    key: identity(255, 'openssl 3.0.16-1~deb12u1', 'Identifies the patch in all scans and catalogs'),
    product: identity(500, 'Debian GNU/Linux 12', 'The product version that the patch is for'),
    status: enumOf(['Missing', 'Installed'], { description: 'Whether the computer has the patch' }),
    installedUtc: Type.Optional(nullable({ ...Instant, description: 'When the patch was installed' })),
    name: optionalText(
      500,
      'openssl 3.0.16-1~deb12u1',
      'Name for people. This and the following properties are used only when the patch is not known yet',
    ),
    qNumber: optionalText(255, 'KB5034441', 'Number of the knowledge base article'),
    bulletinId: optionalText(255, 'DSA-5532-1', 'Id of the bulletin'),
    title: optionalText(1_000, 'openssl security update', 'Title of the bulletin'),
    url: optionalText(2_048, 'https://vendor.example.org/advisories/DSA-5532-1', 'Address of the bulletin'),
    severity: optionalText(255, 'Critical', 'Severity as the vendor names it'),
    type: Type.Optional(nullable(enumOf(patchTypeNames, { description: 'Type of the patch' }))),
    releaseDate: Type.Optional(
      nullable(
        Type.String({
          format: 'date',
          pattern: '^(?!0000)',
          examples: ['2026-03-11'],
          description: 'When the vendor released it',
        }),
      ),
    ),
    sizeBytes: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: 2 ** 50, examples: [2_048_000], description: 'Size of the download' }),
      ),
    ),
    cves: Type.Optional(
      Type.Array(Type.String({ pattern: '^CVE-[0-9]{4}-[0-9]{4,19}$', maxLength: 30 }), {
        maxItems: 1_000,
        examples: [['CVE-2026-12345']],
        description: 'Vulnerabilities that the patch fixes',
      }),
    ),
    component: Type.Optional(nullable(PatchComponent)),
    lockedBy: optionalText(
      255,
      'apt-mark hold',
      'The lock on the computer because of which a missing patch is not installed there',
    ),
    restartSuggested: Type.Optional(
      nullable(
        Type.Boolean({ examples: [true], description: 'Whether the computer should restart after the installation' }),
      ),
    ),
  },
  { title: 'ScannedPatch' },
)

const PatchRollback = closed(
  {
    patchId: { ...Id, description: 'Id of the patch, as the work named it' },
    productId: { ...Id, description: 'Id of the product version' },
    outcome: enumOf(['RolledBack', 'Refused'], {
      description: 'RolledBack: the patch is not installed any more. Refused: the computer cannot roll it back',
    }),
    reason: optionalText(
      1_000,
      'The version before it, 3.0.15-1~deb12u1, is no longer in the repositories.',
      'Why it refused, as a sentence for people; or which version is installed now',
    ),
  },
  { title: 'PatchRollback' },
)

export const PatchScanReport = closed(
  {
    scannedUtc: { ...Instant, description: 'When the scan ran' },
    definitionUtc: Type.Optional(
      nullable({ ...Instant, description: 'Date of the patch definitions that the scan used' }),
    ),
    definitionVersion: optionalText(255, '2026.03.11', 'Version of the patch definitions that the scan used'),
    patches: Type.Array(ScannedPatch, { maxItems: 20_000, description: 'All installed and missing patches' }),
    rollbacks: Type.Optional(
      Type.Array(PatchRollback, {
        maxItems: 1_000,
        description: 'What became of patches that work asked the agent to roll back, until the service has received it',
      }),
    ),
  },
  { title: 'PatchScanReport' },
)

export const PatchScanReceipt = closed(
  {
    ignoredPatches: Type.Integer({
      minimum: 0,
      examples: [0],
      description: 'Number of patches that were not stored because a quota is used up',
    }),
    message: nullable(text(500, 'Patches beyond the quota were ignored.', 'Why patches were ignored')),
  },
  { title: 'PatchScanReceipt' },
)
