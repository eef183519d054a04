/** The parts of a CSAF document that the import reads, after validation. */
export type Csaf = {
  document: {
    aggregate_severity?: { text: string }
    publisher: { name: string; namespace: string }
    references?: { category?: string; url: string }[]
    title: string
    tracking: {
      id: string
      status: 'draft' | 'final' | 'interim'
      current_release_date: string
      initial_release_date: string
    }
  }
  product_tree?: {
    branches?: Branch[]
    full_product_names?: FullProductName[]
    product_groups?: { group_id: string; product_ids: string[] }[]
    relationships?: {
      full_product_name: FullProductName
      product_reference: string
      relates_to_product_reference: string
    }[]
  }
  vulnerabilities?: Vulnerability[]
}

export type FullProductName = {
  name: string
  product_id: string
  product_identification_helper?: {
    cpe?: string
    purl?: string
    hashes?: { filename: string; file_hashes: { algorithm: string; value: string }[] }[]
  }
}

export type Branch = { category: string; name: string; branches?: Branch[]; product?: FullProductName }

type Scope = { product_ids?: string[]; group_ids?: string[] }

export type Remediation = Scope & { category: string; details: string; url?: string; date?: string }

export type Vulnerability = {
  cve?: string
  ids?: { system_name: string; text: string }[]
  flags?: (Scope & { label: string })[]
  notes?: { category: string; text: string; title?: string }[]
  product_status?: {
    fixed?: string[]
    first_fixed?: string[]
    recommended?: string[]
    known_affected?: string[]
    known_not_affected?: string[]
    under_investigation?: string[]
  }
  remediations?: Remediation[]
  scores?: { products: string[]; cvss_v2?: { baseScore: number }; cvss_v3?: { baseScore: number } }[]
  threats?: (Scope & { category: string; details: string })[]
}
