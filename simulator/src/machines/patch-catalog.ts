import { createHash } from 'node:crypto'
import { drawsOf, hashOf } from '../random.ts'
import { operatingSystems } from './systems.ts'

export type CatalogPatch = {
  /** Identifies the patch in scans and catalogs. */
  key: string
  name: string
  product: string
  /** The release of the operating system that it is for; null for applications. */
  release: string | null
  vendor: string
  qNumber: string | null
  bulletinId: string
  title: string
  severity: 'Low' | 'Moderate' | 'Important' | 'Critical'
  type: 'SecurityPatch' | 'NonSecurityPatch' | 'SecurityTool' | 'SoftwareDistribution' | 'CustomAction'
  isServicePack: boolean
  /** In days before the start of the fleet. */
  releasedDaysAgo: number
  sizeBytes: number
  cves: string[]
  cvssScore: number | null
  vrrScore: number | null
  /** The package of a distribution that the patch installs, and the version that it replaces. */
  component: { name: string; version: string; installedVersion: string } | null
}

/** The releases of a product: age in days, severity and type. */
const releases = [
  [4, 'Critical', 'SecurityPatch'],
  [11, 'Important', 'SecurityPatch'],
  [18, 'Low', 'NonSecurityPatch'],
  [32, 'Critical', 'SecurityPatch'],
  [39, 'Moderate', 'SecurityTool'],
  [60, 'Important', 'SecurityPatch'],
  [88, 'Important', 'SecurityPatch'],
  [120, 'Moderate', 'CustomAction'],
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

/** Base scores per severity. */
const baseScores = { Low: 3.1, Moderate: 5.4, Important: 7.2, Critical: 9.1 } as const

/** The patches of all systems and applications of a fleet. They are the same for every seed. */
export const patchCatalog: readonly CatalogPatch[] = [
  ...operatingSystems.flatMap((system, productIndex) =>
    releases.map((published, releaseIndex) => ({
      ...systemPatch({ ...system, productIndex, releaseIndex, published }),
      release: system.release,
    })),
  ),
  ...operatingSystems
    .filter(({ platform, isServer }) => platform === 'windows' && isServer)
    .map(({ product, release }, releaseIndex) => ({ ...servicePack(product, releaseIndex), release })),
  ...applications.flatMap(({ product, vendor, prefix }, productIndex) =>
    releases.slice(0, 4).map((published, releaseIndex) => {
      const common = commonPropertiesOf(product, releaseIndex, published)
      return {
        ...common,
        release: null,
        key: updateIdOf(`${prefix}-${100 + releaseIndex}`),
        name: `${product} update ${4 - releaseIndex}`,
        vendor,
        qNumber: null,
        bulletinId: `${prefix}26-${String(10 + productIndex * 10 + releaseIndex)}`,
      }
    }),
  ),
]

/** Updates without an article have an id in the form of a UUID, including those that an update server adds for applications. */
function updateIdOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

type SystemPatch = Omit<CatalogPatch, 'release'>
type SystemRelease = {
  product: string
  platform: string
  version: string
  productIndex: number
  release: string
  releaseIndex: number
  published: (typeof releases)[number]
}

function systemPatch(system: SystemRelease): SystemPatch {
  const { product, platform, release, version, productIndex, releaseIndex, published } = system
  const common = commonPropertiesOf(release, releaseIndex, published)
  if (platform === 'windows') {
    const kb = `KB${5_060_000 + productIndex * 100 + releaseIndex}`
    const name = `Cumulative update for ${release} (${kb})`
    return {
      ...common,
      product,
      // The Windows Update Agent knows no custom actions.
      type: common.type === 'CustomAction' ? 'SoftwareDistribution' : common.type,
      key: kb,
      qNumber: kb,
      name,
      vendor: 'Microsoft',
      bulletinId: `MS26-${String(productIndex * 20 + releaseIndex).padStart(3, '0')}`,
    }
  }
  if (platform === 'macos') {
    const name = `${product} security update ${releases.length - releaseIndex}`
    return {
      ...common,
      key: `${version}-${releases.length - releaseIndex}`,
      qNumber: null,
      name,
      vendor: 'Apple',
      bulletinId: `HT${214_000 + productIndex * 20 + releaseIndex}`,
    }
  }
  const component = debianPackages[releaseIndex] ?? 'base-files'
  const versionOf = (number: number) => `${version}.${number}`
  const newVersion = versionOf(releases.length - releaseIndex)
  const name = `${component} ${newVersion}`
  const bulletinId = `LSA-${5_800 + productIndex * 20 + releaseIndex}-1`
  return {
    ...common,
    key: `${product} ${name}`,
    qNumber: null,
    name,
    vendor: product,
    bulletinId,
    title: `${component} security update`,
    component: { name: component, version: newVersion, installedVersion: versionOf(0) },
  }
}

function servicePack(product: string, releaseIndex: number): SystemPatch {
  const kb = `KB${5_070_000 + releaseIndex}`
  return {
    ...commonPropertiesOf(product, 90 + releaseIndex, [210, 'Moderate', 'NonSecurityPatch']),
    key: kb,
    qNumber: kb,
    name: `${product} feature pack`,
    vendor: 'Microsoft',
    bulletinId: `SP26-${String(releaseIndex).padStart(3, '0')}`,
    isServicePack: true,
  }
}

type Published = readonly [days: number, severity: CatalogPatch['severity'], type: CatalogPatch['type']]

function commonPropertiesOf(product: string, at: number, [releasedDaysAgo, severity, type]: Published) {
  const draws = drawsOf(hashOf(product), at, 'patch')
  const isScored = type === 'SecurityPatch'
  const spread = draws.next()
  return {
    product,
    title: `${severity} update for ${product}`,
    severity,
    type,
    isServicePack: false,
    component: null,
    releasedDaysAgo,
    sizeBytes: draws.whole(1, 600) * 1_048_576,
    cves: isScored ? Array.from({ length: draws.whole(1, 6) }, () => `CVE-2026-${draws.whole(10_000, 59_999)}`) : [],
    cvssScore: isScored ? Math.round((baseScores[severity] + spread * 0.8) * 10) / 10 : null,
    vrrScore: isScored ? Math.round((baseScores[severity] - 0.5 + spread) * 10) / 10 : null,
  }
}

const dayMs = 86_400_000

/** The release date as YYYY-MM-DD. */
export function releaseDateOf({ releasedDaysAgo }: CatalogPatch, startedAt: number): string {
  return new Date(startedAt - releasedDaysAgo * dayMs).toISOString().slice(0, 10)
}
