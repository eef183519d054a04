import { patchTypeNames } from '../../../features/patches/patch-types.ts'
import { closed, enumOf, Instant, nullable, Type, text } from '../../../platform/schema.ts'

const said = (maxLength: number, example: string, description?: string) =>
  Type.Optional(nullable(text(maxLength, example, description)))

/** Neither empty nor blank, as the database wants it. */
const identity = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '[^\\s\\u0085]', examples: [example], description })

export const ScannedPatch = closed(
  {
    key: identity(255, 'openssl 3.0.16-1~deb12u1', 'By which every scan and catalog names the patch'),
    product: identity(500, 'Debian GNU/Linux 12', 'The product version that it is for'),
    status: enumOf(['Missing', 'Installed']),
    installedUtc: Type.Optional(nullable(Instant)),
    name: said(
      500,
      'openssl 3.0.16-1~deb12u1',
      'For people. This and the rest count only for a patch that nobody knows',
    ),
    qNumber: said(255, 'KB5034441'),
    bulletinId: said(255, 'DSA-5532-1'),
    title: said(1_000, 'openssl security update'),
    url: said(2_048, 'https://vendor.example.org/advisories/DSA-5532-1'),
    severity: said(255, 'Critical'),
    type: Type.Optional(nullable(enumOf(patchTypeNames))),
    releaseDate: Type.Optional(
      nullable(Type.String({ format: 'date', pattern: '^(?!0000)', examples: ['2026-03-11'] })),
    ),
    sizeBytes: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 2 ** 50, examples: [2_048_000] }))),
    cves: Type.Optional(
      Type.Array(Type.String({ pattern: '^CVE-[0-9]{4}-[0-9]{4,19}$', maxLength: 30 }), {
        maxItems: 1_000,
        examples: [['CVE-2026-12345']],
      }),
    ),
  },
  { title: 'ScannedPatch' },
)

export const PatchScanReport = closed(
  {
    scannedUtc: Instant,
    definitionUtc: Type.Optional(
      nullable({ ...Instant, description: 'Of when the data is that the scan compared with' }),
    ),
    definitionVersion: said(255, '2026.03.11'),
    patches: Type.Array(ScannedPatch, { maxItems: 20_000, description: 'All that the computer has or lacks' }),
  },
  { title: 'PatchScanReport' },
)
