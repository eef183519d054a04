/** Builds an advisory of about 20 KB: 40 packages in two releases of a distribution, with two vulnerabilities. */
export function buildAdvisory(number: number) {
  const releases = [11, 12]
  const packages = Array.from({ length: 40 }, (_, at) => `package-${number}-${at}`)
  const ids = releases.flatMap((release) => packages.map((name) => `R${release}:${name}`))
  const vulnerability = (at: number) => ({
    cve: `CVE-2026-${10_000 + number * 2 + at}`,
    product_status: { fixed: ids },
    remediations: [{ category: 'vendor_fix', details: 'Update the packages.', product_ids: ids }],
    scores: [
      {
        cvss_v3: {
          version: '3.1',
          vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          baseScore: (number % 100) / 10,
        },
        products: ids,
      },
    ],
  })
  return {
    document: {
      aggregate_severity: { text: 'Important' },
      category: 'csaf_security_advisory',
      csaf_version: '2.0',
      publisher: { category: 'vendor', name: 'Example', namespace: 'https://vendor.example.org' },
      title: `Security update ${number}`,
      tracking: {
        id: `EXSA-${number}`,
        status: 'final',
        version: '1',
        initial_release_date: '2026-03-01T10:00:00Z',
        current_release_date: '2026-03-01T10:00:00Z',
        revision_history: [{ date: '2026-03-01T10:00:00Z', number: '1', summary: 'First' }],
      },
    },
    product_tree: {
      full_product_names: [
        ...releases.map((release) => ({ name: `Example Linux ${release}`, product_id: `R${release}` })),
        ...packages.map((name) => ({
          name,
          product_id: name,
          product_identification_helper: { purl: `pkg:rpm/example/${name}@1.${number}-1.el9?arch=x86_64` },
        })),
      ],
      relationships: releases.flatMap((release) =>
        packages.map((name) => ({
          category: 'default_component_of',
          full_product_name: { name: `${name} of Example Linux ${release}`, product_id: `R${release}:${name}` },
          product_reference: name,
          relates_to_product_reference: `R${release}`,
        })),
      ),
    },
    vulnerabilities: [vulnerability(0), vulnerability(1)],
  }
}
