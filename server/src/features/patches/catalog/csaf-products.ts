import type { Branch, Csaf } from './csaf-types.ts'
import { type DocumentProduct, toStorableText } from './patch-document.ts'

type Product = { name: string; vendor?: string }

const maxNameLength = 500
const maxVendorLength = 255

/** The product tree of an advisory: resolves product ids to products, and components to the product they belong to. */
export class CsafProducts {
  readonly #products = new Map<string, Product>()
  readonly #platforms = new Map<string, string>()
  readonly #groups = new Map<string, string[]>()

  constructor(tree: Csaf['product_tree'] = {}) {
    for (const { name, product_id } of tree.full_product_names ?? []) this.#products.set(product_id, { name })
    this.#readBranches(tree.branches ?? [])
    for (const { full_product_name, relates_to_product_reference } of tree.relationships ?? []) {
      this.#products.set(full_product_name.product_id, { name: full_product_name.name })
      this.#platforms.set(full_product_name.product_id, relates_to_product_reference)
    }
    for (const { group_id, product_ids } of tree.product_groups ?? []) this.#groups.set(group_id, product_ids)
  }

  #readBranches(roots: readonly Branch[]): void {
    const pending: { branch: Branch; vendor?: string }[] = roots.map((branch) => ({ branch }))
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { branch } = next
      const vendor = branch.category === 'vendor' ? branch.name : next.vendor
      if (branch.product)
        this.#products.set(branch.product.product_id, { name: branch.product.name, ...(vendor && { vendor }) })
      for (const child of branch.branches ?? []) pending.push({ branch: child, ...(vendor && { vendor }) })
    }
  }

  /** The ids of the products in a scope, which names products and groups of products. */
  listProductIds({ product_ids = [], group_ids = [] }: { product_ids?: string[]; group_ids?: string[] }): string[] {
    return [...product_ids, ...group_ids.flatMap((id) => this.#groups.get(id) ?? [])]
  }

  /**
   * The products with these ids, each with the number of its ids as link items. The id of a component, such as a package
   * of a distribution, counts for the product that contains it.
   */
  listProducts(ids: Iterable<string>): DocumentProduct[] {
    const products = new Map<string, DocumentProduct>()
    for (const id of new Set(ids)) {
      const product = this.#products.get(this.#platformOf(id))
      const name = toStorableText(product?.name ?? '', maxNameLength)
      if (!name) continue
      const known = products.get(name.toLowerCase()) ?? { name, linkItems: 0 }
      const vendor = toStorableText(product?.vendor ?? '', maxVendorLength)
      products.set(name.toLowerCase(), { ...known, ...(vendor && { vendor }), linkItems: known.linkItems + 1 })
    }
    return [...products.values()]
  }

  #platformOf(id: string): string {
    const seen = new Set<string>()
    let current = id
    for (
      let next = this.#platforms.get(current);
      next !== undefined && !seen.has(next);
      next = this.#platforms.get(current)
    ) {
      seen.add(next)
      current = next
    }
    return current
  }
}
