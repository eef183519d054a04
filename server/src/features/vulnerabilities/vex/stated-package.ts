import { parsePackageUrl } from '../../patches/components/package-url.ts'
import { findPlatformByPackage } from '../../patches/components/platforms.ts'
import { isLanguage, normaliseName } from '../documents/compared-versions.ts'
import { isComparedDistribution } from '../documents/ecosystems.ts'
import type { StatedPackage } from './statements.ts'

/** The package of a package URL; a text that says why there is none that Muster compares with advisories. */
export function readPackageUrl(url: string): StatedPackage | string {
  const ofLanguage = readLanguageUrl(url)
  if (ofLanguage) return ofLanguage
  const parsed = parsePackageUrl(/@/.test(url) ? url : url.replace(/(\?|#|$)/, '@*$1'))
  if (!parsed) return 'names no package of dpkg, rpm, npm or PyPI'
  const { type, namespace, name, distro } = parsed
  const version = parsed.version === '*' ? null : parsed.version
  const platform = findPlatformByPackage(namespace, distro, version ?? '')
  if (!platform?.distribution || platform.type !== type || !isComparedDistribution(platform.distribution))
    return `names a package of "${namespace}", which is not compared with advisories`
  if (version === null && platform.key === platform.distribution)
    return 'names neither a version of the package nor a release of the distribution'
  return { type, platform: platform.key, name, version }
}

/** The package of a URL such as `pkg:npm/%40babel/core@7.20.0`; undefined if it is of no language. */
export function readLanguageUrl(url: string): StatedPackage | string | undefined {
  const [, type = '', path = '', version = ''] =
    /^pkg:\/*(\w+)\/((?:@[^/?#@]+\/)?[^?#@]+)(?:@([^?#]*))?(?:[?#].*)?$/i.exec(url) ?? []
  const language = type.toLowerCase()
  const [name, at] = [decode(path), decode(version)]
  if (!isLanguage(language) || !name) return undefined
  if (!at) return 'names no version of the package'
  return { type: language, platform: language, name: normaliseName(language, name), version: at }
}

/** Undefined if the text is not encoded as URLs are. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
