import type { CsafProducts } from './csaf-products.ts'
import type { Branch, Csaf, FullProductName } from './csaf-types.ts'
import { findLastPathPart, toDocumentFile } from './document-files.ts'
import type { DocumentFile } from './patch-document.ts'

/**
 * The files of a fix. CSAF has no field for them: a file is one whose hash the advisory states for a fixed product, if the
 * address of a remediation ends with its name. An address without a hash is a page for people.
 */
export function listCsafFiles(
  tree: Csaf['product_tree'],
  products: CsafProducts,
  fix: { ids: ReadonlySet<string>; urls: ReadonlySet<string> },
): DocumentFile[] {
  const urlsByName = new Map([...fix.urls].map((url) => [findLastPathPart(url), url]))
  return listProductNames(tree)
    .filter(({ product_id }) => fix.ids.has(product_id))
    .flatMap(({ product_id, product_identification_helper }) =>
      (product_identification_helper?.hashes ?? []).flatMap(({ filename, file_hashes }) => {
        const url = urlsByName.get(filename)
        const sha256 = file_hashes.find(({ algorithm, value }) => isSha256(algorithm) && value.length === 64)?.value
        const [product] = products.listProducts([product_id])
        return url && sha256 && product ? [toDocumentFile(url, sha256, product.name)] : []
      }),
    )
}

const isSha256 = (algorithm: string) => algorithm.toLowerCase().replace('-', '') === 'sha256'

function listProductNames({ branches = [], full_product_names = [], relationships = [] }: Csaf['product_tree'] = {}) {
  const names: FullProductName[] = [...full_product_names, ...relationships.map((one) => one.full_product_name)]
  const pending: Branch[] = [...branches]
  for (let branch = pending.pop(); branch; branch = pending.pop()) {
    if (branch.product) names.push(branch.product)
    pending.push(...(branch.branches ?? []))
  }
  return names
}
