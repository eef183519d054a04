import { toComponentKey, toPlatformOfProduct } from '../components/component-keys.ts'
import { parsePackageUrl } from '../components/package-url.ts'
import {
  findPlatformByCpe,
  findPlatformByName,
  findPlatformByPackage,
  type PatchPlatform,
} from '../components/platforms.ts'
import { type ComponentType, toVersionKey } from '../components/version-keys.ts'
import type { Branch, Csaf, FullProductName } from './csaf-types.ts'
import { type DocumentProduct, toStorableText } from './patch-document.ts'

type Product = { named: FullProductName; vendor?: string | undefined; ancestors?: readonly string[] }
type Relationship = { component: string; platform: string }

/** A package of a distribution in a version, by the keys that scans use as well. */
export type CsafComponent = {
  component: string
  versionKey: string
  /** Whether the advisory says for which release of the distribution it is. */
  isOfRelease: boolean
}

/** A package, as a document names it. */
export type CsafPackage = { type: ComponentType; platform: PatchPlatform; name: string; version: string }

const maxNameLength = 500
const maxVendorLength = 255
const maxComponentLength = 500
/** Relationships may form a circle. */
const maxRelationshipDepth = 100

/** Packages with symbols for debuggers. RPM advisories name them for every package; they fix nothing. */
const isForDebugging = (name: string) => /-(debuginfo|debugsource|dbgsym)(-|$)/.test(name)

/** The product tree of an advisory: resolves product ids to products, and components to the product they belong to. */
export class CsafProducts {
  readonly #products = new Map<string, Product>()
  readonly #relationships = new Map<string, Relationship>()
  readonly #groups = new Map<string, string[]>()
  readonly #distributions = new Map<string, PatchPlatform | undefined>()
  readonly #versionKeys = new Map<string, string>()

  constructor(tree: Csaf['product_tree'] = {}) {
    for (const named of tree.full_product_names ?? []) this.#products.set(named.product_id, { named })
    this.#readBranches(tree.branches ?? [])
    for (const { full_product_name, product_reference, relates_to_product_reference } of tree.relationships ?? []) {
      this.#products.set(full_product_name.product_id, { named: full_product_name })
      this.#relationships.set(full_product_name.product_id, {
        component: product_reference,
        platform: relates_to_product_reference,
      })
    }
    for (const { group_id, product_ids } of tree.product_groups ?? []) this.#groups.set(group_id, product_ids)
  }

  #readBranches(roots: readonly Branch[]): void {
    type Pending = { branch: Branch; vendor: string | undefined; ancestors: readonly string[] }
    const pending: Pending[] = roots.map((branch) => ({ branch, vendor: undefined, ancestors: [] }))
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { branch, ancestors } = next
      const vendor = branch.category === 'vendor' ? branch.name : next.vendor
      if (branch.product) this.#products.set(branch.product.product_id, { named: branch.product, vendor, ancestors })
      if (!branch.branches) continue
      const above = [branch.name, ...ancestors]
      for (const child of branch.branches) pending.push({ branch: child, vendor, ancestors: above })
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
      const product = this.#products.get(this.#lastOf(id, 'platform'))
      const name = toStorableText(product?.named.name ?? '', maxNameLength)
      if (!name) continue
      const known = products.get(name.toLowerCase()) ?? { name, linkItems: 0 }
      const vendor = toStorableText(product?.vendor ?? '', maxVendorLength)
      products.set(name.toLowerCase(), { ...known, ...(vendor && { vendor }), linkItems: known.linkItems + 1 })
    }
    return [...products.values()]
  }

  /** The component with this id. Undefined if the advisory does not say which package in which version it is. */
  findComponent(id: string): CsafComponent | undefined {
    const found = this.findPackage(id)
    const versionKey = found && this.#toVersionKey(found.type, found.version)
    if (!found || versionKey === undefined) return undefined
    const { platform } = found
    const component = toStorableText(toComponentKey(found.type, platform.key, found.name), maxComponentLength)
    return { component, versionKey, isOfRelease: platform.key !== platform.distribution }
  }

  /** The package with this id. Undefined if the document does not say which one in which version of which product it is. */
  findPackage(id: string): CsafPackage | undefined {
    const product = this.#products.get(this.#lastOf(id, 'component'))
    const purl = this.findPackageUrl(id)
    const url = purl === undefined ? undefined : parsePackageUrl(purl)
    const found = purl === undefined ? parseRpmFileName(product?.named.name ?? '') : url
    if (!found || isForDebugging(found.name)) return undefined
    const platform =
      this.#findDistribution(id) ??
      product?.ancestors?.map(findPlatformByName).find((one) => one !== undefined) ??
      (url && findPlatformByPackage(url.namespace, url.distro, url.version)) ??
      this.#findNamedPlatform(id)
    return platform && { type: found.type, platform, name: found.name, version: found.version }
  }

  /** The package URL of the product with this id, or of its innermost component. */
  findPackageUrl(id: string): string | undefined {
    const named = [this.#products.get(id), this.#products.get(this.#lastOf(id, 'component'))]
    return named.flatMap((one) => one?.named.product_identification_helper?.purl ?? [])[0]
  }

  /** Most components of an advisory have the same version. */
  #toVersionKey(type: ComponentType, version: string): string | undefined {
    const typedVersion = `${type} ${version}`
    const key = this.#versionKeys.get(typedVersion) ?? toVersionKey(type, version)
    if (key !== undefined) this.#versionKeys.set(typedVersion, key)
    return key
  }

  /** The release of a distribution that contains the component. */
  #findDistribution(id: string): PatchPlatform | undefined {
    const platformId = this.#lastOf(id, 'platform')
    if (!this.#distributions.has(platformId)) {
      const { name = '', product_identification_helper: { cpe = '' } = {} } =
        this.#products.get(platformId)?.named ?? {}
      this.#distributions.set(platformId, findPlatformByCpe(cpe) ?? findPlatformByName(name))
    }
    return this.#distributions.get(platformId)
  }

  /** Another product that contains the component. Scans refer to it by the same name. */
  #findNamedPlatform(id: string): PatchPlatform | undefined {
    const platformId = this.#lastOf(id, 'platform')
    const name = platformId === id ? undefined : this.#products.get(platformId)?.named.name
    return name === undefined ? undefined : toPlatformOfProduct(name)
  }

  /** Follows relationships to the innermost component, or to the outermost platform. */
  #lastOf(id: string, end: keyof Relationship): string {
    let current = id
    for (let depth = 0; depth < maxRelationshipDepth; depth++) {
      const next = this.#relationships.get(current)?.[end]
      if (next === undefined) break
      current = next
    }
    return current
  }
}

const architecture = 'noarch|src|nosrc|x86_64|i[3-6]86|aarch64|armv7hl|ppc64|ppc64le|s390|s390x|riscv64'
const fileName = new RegExp(`^(\\S+)-(?:(\\d+):)?([^-\\s]+)-([^-\\s]+)\\.(?:${architecture})(?:\\.rpm)?$`)

/** Parses names such as `openssl-1:3.0.7-27.el9.x86_64`. Advisories without package URLs name components like this. */
function parseRpmFileName(name: string): { type: 'rpm'; name: string; version: string } | undefined {
  const [, component, epoch, version, release] = fileName.exec(name) ?? []
  if (!component || !version || !release) return undefined
  return { type: 'rpm', name: component, version: `${epoch ? `${epoch}:` : ''}${version}-${release}` }
}
