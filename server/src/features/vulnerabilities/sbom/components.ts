import type { Static } from '../../../platform/schema.ts'
import type { Language } from '../documents/compared-versions.ts'
import { toPackageUrl } from './purl.ts'
import type { SbomComponent } from './schemas.ts'

type Property = Static<typeof SbomComponent>['properties'][number]

type Source = { name: string; version: string; language: Language | null }

/** An installed product, and the packages from which computers say that it is built. */
export type SbomProduct = {
  name: string
  version: string | null
  publisher: string | null
  platform: string | null
  sources: Source[] | null
  /** How many computers have it; undefined in the document of one computer. */
  computers?: number
}

/**
 * The component of a product. Only what an agent has reported with its source package is certainly a package of the
 * distribution or of a language, and gets a package URL.
 */
export function toSbomComponent(product: SbomProduct): Static<typeof SbomComponent> {
  const { name, version, publisher, platform, sources } = product
  const [source] = sources ?? []
  const place = source?.language ?? platform
  const url =
    source && place !== null && version !== null ? toPackageUrl(place, name, version, source.version) : undefined
  return {
    type: url === undefined ? 'application' : 'library',
    name,
    ...(version !== null && { version }),
    ...(publisher !== null && { publisher }),
    ...(url !== undefined && { purl: url }),
    properties: listProperties(product),
  }
}

function listProperties({ platform, sources, computers }: SbomProduct): Property[] {
  const ofDistribution = (sources ?? []).filter(({ language }) => language === null)
  const property = (name: Property['name'], value: string): Property => ({ name, value })
  return [
    ...(platform === null ? [] : [property('muster:platform', platform)]),
    ...ofDistribution.map((source) => property('muster:sourcePackage', `${source.name}@${source.version}`)),
    ...(computers === undefined ? [] : [property('muster:computers', String(computers))]),
  ]
}
