import type { ComponentType } from './version-keys.ts'

/** A release of a distribution, or a product that is not a distribution. Scans and advisories that mean the same one have equal keys. */
export type PatchPlatform = {
  /** Such as `debian-12`, or the name of the product in lower case. */
  key: string
  /** The key of the distribution without the release. This and the type are undefined for an unknown distribution. */
  distribution?: string
  /** Of the components of the platform. */
  type?: ComponentType
}

type Distribution = {
  /** Also the namespace of its package URLs. */
  id: string
  type: ComponentType
  /** As os-release and advisories write it, in lower case. */
  names: readonly string[]
  /** Vendor and product of its CPE names. */
  cpes: readonly string[]
  /** Other namespaces of its package URLs. */
  namespaces?: readonly string[]
  /** Whether a release includes the minor number. Otherwise all minor releases get the same updates. */
  hasMinor?: boolean
  codenames?: ReadonlyMap<string, string>
}

// Extended update streams, such as rhel_eus, are deliberately not among them: a version of such a stream cannot be
// compared with one of the ordinary stream.
const distributions: readonly Distribution[] = [
  {
    id: 'debian',
    type: 'deb',
    names: ['debian gnu/linux', 'debian linux', 'debian'],
    cpes: ['debian:debian_linux'],
    codenames: new Map(
      Object.entries({ stretch: '9', buster: '10', bullseye: '11', bookworm: '12', trixie: '13', forky: '14' }),
    ),
  },
  {
    id: 'ubuntu',
    type: 'deb',
    names: ['ubuntu', 'ubuntu linux'],
    cpes: ['canonical:ubuntu_linux'],
    hasMinor: true,
    codenames: new Map(
      Object.entries({
        xenial: '16.04',
        bionic: '18.04',
        focal: '20.04',
        jammy: '22.04',
        noble: '24.04',
        resolute: '26.04',
      }),
    ),
  },
  {
    id: 'redhat',
    type: 'rpm',
    names: ['red hat enterprise linux', 'red hat enterprise linux server', 'rhel'],
    cpes: ['redhat:enterprise_linux'],
    namespaces: ['rhel'],
  },
  {
    id: 'rocky',
    type: 'rpm',
    names: ['rocky linux'],
    cpes: ['rocky:rocky', 'rocky:linux'],
    namespaces: ['rocky-linux', 'rockylinux'],
  },
  { id: 'ciq', type: 'rpm', names: ['rocky linux from ciq'], cpes: ['ciq:rocky_linux_from_ciq'] },
  {
    id: 'almalinux',
    type: 'rpm',
    names: ['almalinux', 'almalinux os'],
    cpes: ['almalinux:almalinux'],
    namespaces: ['alma'],
  },
  { id: 'centos', type: 'rpm', names: ['centos linux', 'centos stream', 'centos'], cpes: ['centos:centos'] },
  { id: 'fedora', type: 'rpm', names: ['fedora linux', 'fedora'], cpes: ['fedoraproject:fedora'] },
  { id: 'oracle', type: 'rpm', names: ['oracle linux server', 'oracle linux'], cpes: ['oracle:linux'] },
  { id: 'amazon', type: 'rpm', names: ['amazon linux'], cpes: ['amazon:amazon_linux', 'amazon:linux'] },
  {
    id: 'opensuse-leap',
    type: 'rpm',
    names: ['opensuse leap'],
    cpes: ['opensuse:leap'],
    namespaces: ['opensuse'],
    hasMinor: true,
  },
  { id: 'sles', type: 'rpm', names: ['sles', 'suse linux enterprise server'], cpes: [], hasMinor: true },
]

const byName = new Map(distributions.flatMap((one) => one.names.map((name) => [name, one])))
const byCpe = new Map(distributions.flatMap((one) => one.cpes.map((cpe) => [cpe, one])))
const byNamespace = new Map(
  distributions.flatMap((one) => [one.id, ...(one.namespaces ?? [])].map((name) => [name, one])),
)

/** The platform with the name of a product, such as `Debian GNU/Linux 12` or `Ubuntu 24.04.1 LTS`. */
export function findPlatformByName(product: string): PatchPlatform | undefined {
  const [, name = '', release = ''] =
    /^(.+?)\s+(?:release\s+)?(\d+(?:\.\d+)*|[a-z]+)(?:\s+lts)?(?:\s+\(.*\))?$/.exec(product.trim().toLowerCase()) ?? []
  return toPlatform(byName.get(name), release)
}

/** The platform of a CPE name, in the form `cpe:/o:vendor:product:version` or `cpe:2.3:o:vendor:product:version`. */
export function findPlatformByCpe(cpe: string): PatchPlatform | undefined {
  const [vendor, product, release = ''] = cpe
    .toLowerCase()
    .replace(/^cpe:(\/|2\.3:)/, '')
    .replaceAll('\\', '')
    .split(':')
    .slice(1)
  return toPlatform(byCpe.get(`${vendor}:${product}`), release)
}

/**
 * The platform of a package URL, by its namespace, its `distro`, and marks in the version such as `deb12u1` and `el9`.
 * Without a release, it is the distribution.
 */
export function findPlatformByPackage(namespace: string, distro: string, version: string): PatchPlatform | undefined {
  const distribution = byNamespace.get(namespace)
  const release =
    distro
      .split('-')
      .at(-1)
      ?.replace(/^el(?=\d)/, '') || findReleaseMark(version)
  return (
    toPlatform(distribution, release) ??
    (distribution && { key: distribution.id, distribution: distribution.id, type: distribution.type })
  )
}

const findReleaseMark = (version: string) =>
  /[+~]deb(\d+)u\d/.exec(version)?.[1] ?? /\.el(\d+)(?!\d|_)/.exec(version)?.[1] ?? ''

function toPlatform(distribution: Distribution | undefined, text: string): PatchPlatform | undefined {
  if (!distribution) return undefined
  const release = distribution.codenames?.get(text) ?? text
  const number = (distribution.hasMinor ? /^\d+\.\d+/ : /^\d+/).exec(release)?.[0]
  const { id, type } = distribution
  return number === undefined ? undefined : { key: `${id}-${number}`, distribution: id, type }
}
