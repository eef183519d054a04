import type { AnySchema } from 'ajv'

// The structure of a document by section 3 of the standard, OASIS Common Security Advisory Framework 2.0. It covers what
// the import reads and most rules about the rest. Unknown properties are allowed.

type Schema = Record<string, unknown>

const text: Schema = { type: 'string', isFilled: true }
const uri: Schema = { type: 'string', format: 'uri' }
const moment: Schema = { type: 'string', format: 'date-time' }
const oneOf = (...names: string[]): Schema => ({ type: 'string', enum: names })
const list = (items: Schema): Schema => ({ type: 'array', minItems: 1, items })
const set = (items: Schema): Schema => ({ ...list(items), uniqueItems: true })
const setOfTexts: Schema = { ...list(text), hasUniqueTexts: true }
const object = (required: string[], properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required,
  properties,
})
const filled = (properties: Record<string, Schema>): Schema => ({ ...object([], properties), minProperties: 1 })

const version: Schema = { type: 'string', pattern: '^(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)([+-].+)?)?$' }
// The standard requires a language tag by RFC 5646; this pattern is a simplification.
const language: Schema = { type: 'string', pattern: '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$' }
const products = setOfTexts
const groups = setOfTexts
const reference = object(['summary', 'url'], { category: oneOf('external', 'self'), summary: text, url: uri })
const note = object(['category', 'text'], {
  category: oneOf('description', 'details', 'faq', 'general', 'legal_disclaimer', 'other', 'summary'),
  text,
  title: text,
  audience: text,
})
const acknowledgment = filled({ names: list(text), organization: text, summary: text, urls: list(uri) })

const tracking = object(
  ['current_release_date', 'id', 'initial_release_date', 'revision_history', 'status', 'version'],
  {
    aliases: setOfTexts,
    current_release_date: moment,
    id: { ...text, pattern: '^\\S(.*\\S)?$' },
    initial_release_date: moment,
    revision_history: list(object(['date', 'number', 'summary'], { date: moment, number: version, summary: text })),
    status: oneOf('draft', 'final', 'interim'),
    version,
    generator: object(['engine'], { date: moment, engine: object(['name'], { name: text, version: text }) }),
  },
)

const document = object(['category', 'csaf_version', 'publisher', 'title', 'tracking'], {
  acknowledgments: list(acknowledgment),
  aggregate_severity: object(['text'], { namespace: uri, text }),
  category: { ...text, pattern: '^[^\\s\\-_.](.*[^\\s\\-_.])?$' },
  csaf_version: oneOf('2.0'),
  lang: language,
  source_lang: language,
  distribution: filled({
    text,
    tlp: object(['label'], { label: oneOf('AMBER', 'GREEN', 'RED', 'WHITE'), url: uri }),
  }),
  notes: list(note),
  publisher: object(['category', 'name', 'namespace'], {
    category: oneOf('coordinator', 'discoverer', 'other', 'translator', 'user', 'vendor'),
    contact_details: text,
    issuing_authority: text,
    name: text,
    namespace: uri,
  }),
  references: list(reference),
  title: text,
  tracking,
})

const fullProductName = object(['name', 'product_id'], {
  name: text,
  product_id: text,
  product_identification_helper: filled({
    cpe: text,
    purl: text,
    hashes: list(
      object(['file_hashes', 'filename'], {
        file_hashes: list(
          object(['algorithm', 'value'], {
            algorithm: text,
            value: { type: 'string', pattern: '^[0-9a-fA-F]{32,}$' },
          }),
        ),
        filename: text,
      }),
    ),
    model_numbers: setOfTexts,
    sbom_urls: list(uri),
    serial_numbers: setOfTexts,
    skus: list(text),
    x_generic_uris: list(object(['namespace', 'uri'], { namespace: uri, uri })),
  }),
})

const branch: Schema = {
  ...object(['category', 'name'], {
    branches: { $ref: '#/$defs/branches' },
    category: oneOf(
      'architecture',
      'host_name',
      'language',
      'legacy',
      'patch_level',
      'product_family',
      'product_name',
      'product_version',
      'product_version_range',
      'service_pack',
      'specification',
      'vendor',
    ),
    name: text,
    product: fullProductName,
  }),
  minProperties: 3,
}

const productTree = filled({
  branches: { $ref: '#/$defs/branches' },
  full_product_names: list(fullProductName),
  product_groups: list(
    object(['group_id', 'product_ids'], {
      group_id: text,
      product_ids: { ...products, minItems: 2 },
      summary: text,
    }),
  ),
  relationships: list(
    object(['category', 'full_product_name', 'product_reference', 'relates_to_product_reference'], {
      category: oneOf(
        'default_component_of',
        'external_component_of',
        'installed_on',
        'installed_with',
        'optional_component_of',
      ),
      full_product_name: fullProductName,
      product_reference: text,
      relates_to_product_reference: text,
    }),
  ),
})

const rating = (...versions: string[]): Schema =>
  object(['version', 'vectorString', 'baseScore'], {
    version: oneOf(...versions),
    vectorString: text,
    baseScore: { type: 'number', minimum: 0, maximum: 10 },
  })

const statuses = [
  'first_affected',
  'first_fixed',
  'fixed',
  'known_affected',
  'known_not_affected',
  'last_affected',
  'recommended',
  'under_investigation',
]

const vulnerability = filled({
  acknowledgments: list(acknowledgment),
  cve: { type: 'string', pattern: '^CVE-[0-9]{4}-[0-9]{4,}$' },
  cwe: object(['id', 'name'], { id: { type: 'string', pattern: '^CWE-[1-9][0-9]{0,5}$' }, name: text }),
  discovery_date: moment,
  flags: set(
    object(['label'], {
      date: moment,
      group_ids: groups,
      label: oneOf(
        'component_not_present',
        'inline_mitigations_already_exist',
        'vulnerable_code_cannot_be_controlled_by_adversary',
        'vulnerable_code_not_in_execute_path',
        'vulnerable_code_not_present',
      ),
      product_ids: products,
    }),
  ),
  ids: set(object(['system_name', 'text'], { system_name: text, text })),
  involvements: set(
    object(['party', 'status'], {
      date: moment,
      party: oneOf('coordinator', 'discoverer', 'other', 'user', 'vendor'),
      status: oneOf('completed', 'contact_attempted', 'disputed', 'in_progress', 'not_contacted', 'open'),
      summary: text,
    }),
  ),
  notes: list(note),
  product_status: filled(Object.fromEntries(statuses.map((status) => [status, products]))),
  references: list(reference),
  release_date: moment,
  remediations: list(
    object(['category', 'details'], {
      category: oneOf('mitigation', 'no_fix_planned', 'none_available', 'vendor_fix', 'workaround'),
      date: moment,
      details: text,
      entitlements: list(text),
      group_ids: groups,
      product_ids: products,
      restart_required: object(['category'], {
        category: oneOf(
          'connected',
          'dependencies',
          'machine',
          'none',
          'parent',
          'service',
          'system',
          'vulnerable_component',
          'zone',
        ),
        details: text,
      }),
      url: uri,
    }),
  ),
  scores: list({
    ...object(['products'], { cvss_v2: rating('2.0'), cvss_v3: rating('3.0', '3.1'), products }),
    minProperties: 2,
  }),
  threats: list(
    object(['category', 'details'], {
      category: oneOf('exploit_status', 'impact', 'target_set'),
      date: moment,
      details: text,
      group_ids: groups,
      product_ids: products,
    }),
  ),
  title: text,
})

export const csafSchema: AnySchema & object = {
  ...object(['document'], { document, product_tree: productTree, vulnerabilities: list(vulnerability) }),
  $defs: { branches: list(branch) },
}
