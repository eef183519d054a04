import { drawsOf, hashOf } from '../random.ts'
import { operatingSystems } from './systems.ts'

export type CatalogPatch = {
  /** By which scans and catalogs name it. */
  key: string
  name: string
  product: string
  vendor: string
  qNumber: string | null
  bulletinId: string
  title: string
  severity: 'Low' | 'Moderate' | 'Important' | 'Critical'
  type: 'SecurityPatch' | 'NonSecurityPatch' | 'SecurityTool' | 'SoftwareDistribution'
  isServicePack: boolean
  /** Days before the start of the fleet. */
  releasedDaysAgo: number
  sizeBytes: number
  cves: string[]
  cvssScore: number | null
  vrrScore: number | null
}

/** Releases of a product: how long ago, how severe, and what they are. */
const releases = [
  [4, 'Critical', 'SecurityPatch'],
  [11, 'Important', 'SecurityPatch'],
  [18, 'Low', 'NonSecurityPatch'],
  [32, 'Critical', 'SecurityPatch'],
  [39, 'Moderate', 'SecurityTool'],
  [60, 'Important', 'SecurityPatch'],
  [88, 'Important', 'SecurityPatch'],
  [120, 'Moderate', 'NonSecurityPatch'],
  [180, 'Critical', 'SecurityPatch'],
  [300, 'Low', 'SoftwareDistribution'],
] as const

const debianPackages = [
  'openssl',
  'linux-image-amd64',
  'curl',
  'openssh-server',
  'sudo',
  'systemd',
  'libc6',
  'nginx',
  'python3.11',
  'vim',
]

const applications = [
  { product: 'Google Chrome', vendor: 'Google LLC', prefix: 'GC' },
  { product: 'Adobe Acrobat Reader', vendor: 'Adobe', prefix: 'APSB' },
]

const severest = { Low: 3.1, Moderate: 5.4, Important: 7.2, Critical: 9.1 } as const

/** What is published for all the systems and applications of a fleet. It is the same for every seed. */
export const patchCatalog: readonly CatalogPatch[] = [
  ...operatingSystems.flatMap(({ product, platform, version }, place) =>
    releases.map((release, at) => systemPatch({ product, platform, version, place, at, release })),
  ),
  ...operatingSystems
    .filter(({ platform, isServer }) => platform === 'windows' && isServer)
    .map(({ product }, at) => servicePack(product, at)),
  ...applications.flatMap(({ product, vendor, prefix }, place) =>
    releases.slice(0, 4).map((release, at) => {
      const common = publishedAs(product, at, release)
      return {
        ...common,
        key: `${prefix}-${100 + at}`,
        name: `${product} update ${4 - at}`,
        vendor,
        qNumber: null,
        bulletinId: `${prefix}26-${String(10 + place * 10 + at)}`,
      }
    }),
  ),
]

type Release = (typeof releases)[number]
type Place = { product: string; platform: string; version: string; place: number; at: number; release: Release }

function systemPatch({ product, platform, version, place, at, release }: Place): CatalogPatch {
  const common = publishedAs(product, at, release)
  if (platform === 'windows') {
    const kb = `KB${5_060_000 + place * 100 + at}`
    const name = `Cumulative update for ${product} (${kb})`
    return {
      ...common,
      key: kb,
      qNumber: kb,
      name,
      vendor: 'Microsoft',
      bulletinId: `MS26-${String(place * 20 + at).padStart(3, '0')}`,
    }
  }
  if (platform === 'macos') {
    const name = `${product} security update ${releases.length - at}`
    return {
      ...common,
      key: `${version}-${releases.length - at}`,
      qNumber: null,
      name,
      vendor: 'Apple',
      bulletinId: `HT${214_000 + place * 20 + at}`,
    }
  }
  const component = debianPackages[at] ?? 'base-files'
  const name = `${component} ${version}.${releases.length - at}`
  const bulletinId = `LSA-${5_800 + place * 20 + at}-1`
  return {
    ...common,
    key: `${product} ${name}`,
    qNumber: null,
    name,
    vendor: product,
    bulletinId,
    title: `${component} security update`,
  }
}

function servicePack(product: string, at: number): CatalogPatch {
  const kb = `KB${5_070_000 + at}`
  return {
    ...publishedAs(product, 90 + at, [210, 'Moderate', 'NonSecurityPatch']),
    key: kb,
    qNumber: kb,
    name: `${product} feature pack`,
    vendor: 'Microsoft',
    bulletinId: `SP26-${String(at).padStart(3, '0')}`,
    isServicePack: true,
  }
}

type Published = readonly [days: number, severity: CatalogPatch['severity'], type: CatalogPatch['type']]

function publishedAs(product: string, at: number, [releasedDaysAgo, severity, type]: Published) {
  const draws = drawsOf(hashOf(product), at, 'patch')
  const isScored = type === 'SecurityPatch'
  const spread = draws.next()
  return {
    product,
    title: `${severity} update for ${product}`,
    severity,
    type,
    isServicePack: false,
    releasedDaysAgo,
    sizeBytes: draws.whole(1, 600) * 1_048_576,
    cves: isScored ? Array.from({ length: draws.whole(1, 6) }, () => `CVE-2026-${draws.whole(10_000, 59_999)}`) : [],
    cvssScore: isScored ? Math.round((severest[severity] + spread * 0.8) * 10) / 10 : null,
    vrrScore: isScored ? Math.round((severest[severity] - 0.5 + spread) * 10) / 10 : null,
  }
}

const dayMs = 86_400_000

/** The day on which it was published. */
export function releaseDateOf({ releasedDaysAgo }: CatalogPatch, startedAt: number): string {
  return new Date(startedAt - releasedDaysAgo * dayMs).toISOString().slice(0, 10)
}
