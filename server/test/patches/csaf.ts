export type Advisory = {
  id: string
  /** Day of the current revision. */
  revised?: string
  version?: string
  severity?: string
  cve?: string
  score?: number
  /** Names of the fixed products. */
  products?: string[]
  details?: string
  url?: string
  /** What it says about attacks. */
  exploitStatus?: string
}

/** A valid CSAF 2.0 advisory with one vulnerability and one fix. */
export function buildAdvisory(advisory: Advisory) {
  const {
    id,
    revised = '2026-03-11',
    version = '1',
    severity = 'Important',
    cve = 'CVE-2026-1000',
    score = 7.5,
  } = advisory
  const { products = ['Example OS 12'], details = 'Update the packages.', url, exploitStatus } = advisory
  const product_ids = products.map((_, at) => `P${at}`)
  return {
    document: {
      aggregate_severity: { text: severity },
      category: 'csaf_security_advisory',
      csaf_version: '2.0',
      publisher: { category: 'vendor', name: 'Example', namespace: 'https://vendor.example.org' },
      references: [{ category: 'self', summary: 'This', url: `https://vendor.example.org/${id}` }],
      title: `Advisory ${id}`,
      tracking: {
        id,
        status: 'final',
        version,
        initial_release_date: '2026-03-01T10:00:00Z',
        current_release_date: `${revised}T10:00:00Z`,
        revision_history: [{ date: '2026-03-01T10:00:00Z', number: '1', summary: 'First' }],
      },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Example',
          branches: products.map((name, at) => ({
            category: 'product_version',
            name,
            product: { name, product_id: `P${at}` },
          })),
        },
      ],
    },
    vulnerabilities: [
      {
        cve,
        product_status: { fixed: product_ids },
        remediations: [{ category: 'vendor_fix', details, product_ids, ...(url && { url }) }],
        scores: [
          {
            cvss_v3: { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', baseScore: score },
            products: product_ids,
          },
        ],
        ...(exploitStatus && { threats: [{ category: 'exploit_status', details: exploitStatus, product_ids }] }),
      },
    ],
  }
}
