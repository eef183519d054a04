import { isLanguage, type Language, normaliseName } from '../documents/compared-versions.ts'
import { typeOfPlatform } from '../documents/ecosystems.ts'

/** Namespaces that differ from the distribution in the key of a platform. */
const namespaces: ReadonlyMap<string, string> = new Map([['opensuse-leap', 'opensuse']])

const encode = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':')

/**
 * The package URL of a package of dpkg or rpm, or of a language. Versions of RPM have their epoch beside them; the package has the one of its source
 * package, if it names none. The platform may be a distribution without a release; without a version, it names all of them.
 */
export function toPackageUrl(platform: string, name: string, version: string | null, sourceVersion = ''): string {
  const type = typeOfPlatform(platform)
  if (isLanguage(type)) return toLanguageUrl(type, name, version)
  const distribution = platform.replace(/-[\d.]+$/, '')
  const namespace = namespaces.get(distribution) ?? distribution
  const [, epoch, plain = version] = /^(?:(\d+):)?(.*)$/s.exec(version ?? '') ?? []
  const ofSource = /^(\d+):/.exec(sourceVersion)?.[1]
  const isRpm = type === 'rpm'
  const rpmEpoch = isRpm ? (epoch ?? ofSource) : undefined
  const qualifiers = [
    ...(platform === distribution ? [] : [`distro=${encode(platform)}`]),
    ...(rpmEpoch === undefined ? [] : [`epoch=${rpmEpoch}`]),
  ]
  const spelled = encode(isRpm ? name : name.toLowerCase())
  const at = version === null ? '' : `@${encode((isRpm ? plain : version) ?? '')}`
  return `pkg:${type}/${namespace}/${spelled}${at}${qualifiers.length > 0 ? `?${qualifiers.join('&')}` : ''}`
}

/** The scope of a package of npm is a namespace of its own. */
function toLanguageUrl(language: Language, name: string, version: string | null): string {
  const path = normaliseName(language, name).split('/').map(encodeURIComponent).join('/')
  return `pkg:${language}/${path}${version === null ? '' : `@${encode(version)}`}`
}
