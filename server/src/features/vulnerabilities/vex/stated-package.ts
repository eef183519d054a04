import { parsePackageUrl } from '../../patches/components/package-url.ts'
import { findPlatformByPackage } from '../../patches/components/platforms.ts'
import { isComparedDistribution } from '../documents/ecosystems.ts'
import type { StatedPackage } from './statements.ts'

/** The package of a package URL; a text that says why there is none that Muster compares with advisories. */
export function readPackageUrl(url: string): StatedPackage | string {
  const parsed = parsePackageUrl(/@/.test(url) ? url : url.replace(/(\?|#|$)/, '@*$1'))
  if (!parsed) return 'names no package of dpkg or rpm'
  const { type, namespace, name, distro } = parsed
  const version = parsed.version === '*' ? null : parsed.version
  const platform = findPlatformByPackage(namespace, distro, version ?? '')
  if (!platform?.distribution || platform.type !== type || !isComparedDistribution(platform.distribution))
    return `names a package of "${namespace}", which is not compared with advisories`
  if (version === null && platform.key === platform.distribution)
    return 'names neither a version of the package nor a release of the distribution'
  return { type, platform: platform.key, name, version }
}
