import { closed, enumOf, Id, Instant, Type, text, Uuid } from '../../../platform/schema.ts'

const packageUrl = text(1_500, 'pkg:deb/debian/openssl?distro=debian-12', 'Package URL of a package of dpkg or rpm')
const productRef = text(1_500, 'muster:computers', 'A package by its URL, or `muster:computers` for all packages')
const reason = text(2_000, 'The parser is not reachable from the network', 'Why')

export const VexQuery = closed({
  groupId: Type.Optional({ ...Uuid, description: 'What is in force for this group and the groups below it' }),
  computerId: Type.Optional({ ...Id, description: 'What is in force for this computer' }),
})

const CycloneDxVulnerability = closed(
  {
    id: text(100, 'CVE-2026-12345'),
    analysis: closed(
      {
        state: enumOf(['not_affected', 'false_positive', 'exploitable'], {
          description: 'exploitable: the risk is accepted until the property `muster:acceptedUntil`',
        }),
        response: Type.Optional(Type.Array(enumOf(['will_not_fix']))),
        detail: reason,
        firstIssued: Instant,
      },
      { title: 'VexAnalysis' },
    ),
    affects: Type.Array(closed({ ref: productRef }, { title: 'VexAffected' })),
    properties: Type.Array(
      closed(
        {
          name: enumOf(['muster:approvedBy', 'muster:acceptedUntil']),
          value: text(255, 'security-team'),
        },
        { title: 'VexProperty' },
      ),
    ),
  },
  { title: 'CycloneDxVexVulnerability' },
)

/** Decisions about vulnerabilities in the format of CycloneDX 1.6, whose names these are. */
export const CycloneDxVex = closed(
  {
    bomFormat: enumOf(['CycloneDX']),
    specVersion: enumOf(['1.6']),
    version: Type.Integer({ minimum: 1, maximum: 1, examples: [1] }),
    metadata: closed(
      {
        component: closed(
          {
            'bom-ref': text(20, 'muster:computers'),
            type: enumOf(['device', 'platform'], { description: 'device: a computer. platform: several of them.' }),
            name: text(4_000, 'All computers'),
          },
          { title: 'CycloneDxVexSubject' },
        ),
      },
      { title: 'CycloneDxVexMetadata' },
    ),
    components: Type.Array(
      closed(
        {
          'bom-ref': packageUrl,
          type: enumOf(['library']),
          name: text(255, 'openssl'),
          version: Type.Optional(text(255, '3.0.15-1~deb12u1')),
          purl: packageUrl,
        },
        { title: 'CycloneDxVexComponent' },
      ),
    ),
    vulnerabilities: Type.Array(CycloneDxVulnerability),
  },
  { title: 'CycloneDxVex' },
)

const productIds = Type.Array(productRef)

const CsafVexVulnerability = closed(
  {
    cve: Type.Optional(text(100, 'CVE-2026-12345')),
    ids: Type.Optional(
      Type.Array(
        closed({ system_name: enumOf(['Advisory']), text: text(100, 'RHSA-2026:1234') }, { title: 'CsafVexId' }),
        { description: 'For an advisory that names no CVE' },
      ),
    ),
    notes: Type.Array(
      closed(
        {
          category: enumOf(['other']),
          title: text(100, 'muster:approvedBy', '`muster:approvedBy`, or `muster:acceptedUntil` for accepted risks'),
          text: text(10_000, 'security-team'),
        },
        { title: 'CsafVexNote' },
      ),
    ),
    product_status: closed(
      { known_not_affected: Type.Optional(productIds), known_affected: Type.Optional(productIds) },
      { title: 'CsafVexStatus' },
    ),
    flags: Type.Optional(
      Type.Array(
        closed(
          { label: enumOf(['vulnerable_code_not_present']), product_ids: productIds },
          { title: 'CsafVexFlag', description: 'The advisory does not apply' },
        ),
      ),
    ),
    threats: Type.Optional(
      Type.Array(
        closed({ category: enumOf(['impact']), details: reason, product_ids: productIds }, { title: 'CsafVexThreat' }),
      ),
    ),
    remediations: Type.Optional(
      Type.Array(
        closed(
          { category: enumOf(['no_fix_planned']), details: reason, product_ids: productIds },
          { title: 'CsafVexRemediation' },
        ),
      ),
    ),
  },
  { title: 'CsafVexVulnerability' },
)

/** Decisions about vulnerabilities in the profile VEX of CSAF 2.0, whose names these are. */
export const CsafVex = closed(
  {
    document: closed(
      {
        category: enumOf(['csaf_vex']),
        csaf_version: enumOf(['2.0']),
        publisher: closed(
          {
            category: enumOf(['user']),
            name: enumOf(['Muster']),
            namespace: text(2_048, 'https://muster.example.org'),
          },
          { title: 'CsafVexPublisher' },
        ),
        title: text(4_000, 'Exceptions of vulnerabilities: All computers'),
        tracking: closed(
          {
            id: text(100, 'muster-vex-fleet'),
            status: enumOf(['final']),
            version: enumOf(['1']),
            initial_release_date: Instant,
            current_release_date: { ...Instant, description: 'Of the last decision' },
            revision_history: Type.Array(
              closed(
                { date: Instant, number: enumOf(['1']), summary: text(255, 'The exceptions that are in force') },
                { title: 'CsafVexRevision' },
              ),
            ),
          },
          { title: 'CsafVexTracking' },
        ),
      },
      { title: 'CsafVexHead' },
    ),
    product_tree: closed(
      {
        full_product_names: Type.Array(
          closed(
            {
              name: text(4_000, 'openssl 3.0.15-1~deb12u1'),
              product_id: productRef,
              product_identification_helper: Type.Optional(
                closed({ purl: packageUrl }, { title: 'CsafVexIdentification' }),
              ),
            },
            { title: 'CsafVexProduct' },
          ),
        ),
      },
      { title: 'CsafVexProducts' },
    ),
    vulnerabilities: Type.Array(CsafVexVulnerability),
  },
  { title: 'CsafVex' },
)

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int32', examples: [example], description })

export const VexImportRequest = closed(
  {
    document: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [
        {
          bomFormat: 'CycloneDX',
          specVersion: '1.6',
          vulnerabilities: [
            {
              id: 'CVE-2026-12345',
              analysis: { state: 'not_affected', detail: 'The parser is not built in' },
              affects: [{ ref: 'pkg:deb/debian/openssl@3.0.15-1~deb12u1?distro=debian-12' }],
            },
          ],
        },
      ],
      description: 'A document of CycloneDX (from 1.4 on, in JSON) or of CSAF 2.0',
    }),
    groupId: Type.Optional({
      ...Uuid,
      description: 'Only for this group and the groups below it; otherwise for the fleet',
    }),
    computerId: Type.Optional({ ...Id, description: 'Only for this computer' }),
  },
  { title: 'VexImportRequest' },
)

export const VexImport = closed(
  {
    created: count('Exceptions that were created', 12),
    unchanged: count('Statements for which there is an exception in force', 3),
    ignored: count(
      'Statements that are no decision (affected, fixed, being examined), or about vulnerabilities that no imported advisory names',
      40,
    ),
    refused: count('Statements that cannot be taken over', 1),
    faults: Type.Array(
      closed(
        {
          at: text(300, 'vulnerabilities.4.affects.0', 'The place in the document'),
          reason: text(1_000, 'has expired'),
        },
        { title: 'VexFault' },
      ),
      { description: 'The first 1000 refused statements, with the reason' },
    ),
  },
  { title: 'VexImport' },
)
