import { findPlatformByName, type PatchPlatform } from './platforms.ts'
import { type ComponentType, toVersionKey } from './version-keys.ts'

/** A package of a distribution, as a scan reports it. */
export type ReportedComponent = {
  name: string
  version: string
  /** The version that the update replaces. */
  installedVersion?: string | null
  /** The package from which it is built. Advisories of Debian and Ubuntu name that one. */
  sourceName?: string | null
  sourceVersion?: string | null
  installedSourceVersion?: string | null
}

/** A component of a patch. The patch fixes what advisories fix after the replaced version and up to its own. */
export type PatchComponent = { component: string; versionKey: string; replacedKey: string | null }

/** Identifies a component in scans and advisories. */
export function toComponentKey(type: ComponentType, platform: string, name: string): string {
  return `${type}/${platform}/${name.toLowerCase()}`
}

/** The platform of a product that a scan or an advisory names. */
export function toPlatformOfProduct(product: string): PatchPlatform {
  return findPlatformByName(product) ?? { key: product.trim().toLowerCase() }
}

/** The components of a patch in short. Scans compare this to see whether they report something new. */
export type ComponentSummary = {
  package: string | null
  /** Whether the agent reported the component. Otherwise it was found in the key of the patch, which says less. */
  isReported: boolean
  replacedKey: string | null
}

export function summariseComponent(
  key: string,
  product: string,
  reported: ReportedComponent | null | undefined,
): ComponentSummary {
  const component = findCredibleComponent(key, reported)
  if (!component) return { package: findComponentInKey(key) ? key : null, isReported: false, replacedKey: null }
  const { name, version, sourceName, sourceVersion, installedVersion } = component
  const { type = 'deb' } = toPlatformOfProduct(product)
  return {
    package: [name, version, sourceName, sourceVersion].map((text) => text ?? '').join(' '),
    isReported: true,
    replacedKey: (installedVersion && toVersionKey(type, installedVersion)) || null,
  }
}

/** The components of a patch that a scan reports. An agent that reports none writes them into the key of the patch. */
export function listPatchComponents(
  key: string,
  product: string,
  reported: ReportedComponent | null | undefined,
): PatchComponent[] {
  const component = findCredibleComponent(key, reported) ?? findComponentInKey(key)
  if (!component) return []
  const { key: platform, distribution, type } = toPlatformOfProduct(product)
  const { name, version, installedVersion, sourceName, sourceVersion, installedSourceVersion } = component
  const packages = [{ name, version, installed: installedVersion }]
  if (sourceName && sourceVersion && sourceName !== name)
    packages.push({ name: sourceName, version: sourceVersion, installed: installedSourceVersion })
  // Of an unknown distribution, only the advisory says how its versions compare.
  const types: ComponentType[] = type ? [type] : ['deb', 'rpm']
  const platforms = distribution ? [platform, distribution] : [platform]
  return packages.flatMap((one) =>
    types.flatMap((each) => {
      const versionKey = toVersionKey(each, one.version)
      const replacedKey = (one.installed && toVersionKey(each, one.installed)) || null
      if (versionKey === undefined) return []
      return platforms.map((at) => ({ component: toComponentKey(each, at, one.name), versionKey, replacedKey }))
    }),
  )
}

/**
 * The reported component, unless the key names another package or version. All computers share the components of a patch,
 * so an agent must not be able to attach those of other packages to it.
 */
function findCredibleComponent(
  key: string,
  reported: ReportedComponent | null | undefined,
): ReportedComponent | undefined {
  if (!reported) return undefined
  const named = findComponentInKey(key) ?? reported
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  return isSame(named.name, reported.name) && isSame(named.version, reported.version) ? reported : undefined
}

/** Finds the package in a key such as `openssl 3.0.16-1~deb12u1`. */
function findComponentInKey(key: string): ReportedComponent | undefined {
  const [, name, version] = /^([a-z0-9][\w.+-]*) ((?:\d+:)?\d[\w.+~^:-]*)$/i.exec(key.trim()) ?? []
  return name && version ? { name, version } : undefined
}
