import { toComponentKey } from '../../patches/components/component-keys.ts'
import { type ComponentType, toNumberKey, toVersionKey } from '../../patches/components/version-keys.ts'

/** Where packages of programming languages come from. The names are also those of package URLs and of platforms. */
export const languages = ['npm', 'pypi'] as const

export type Language = (typeof languages)[number]

/** What says how versions are compared and how packages are named. */
export type ComparedType = ComponentType | Language

export const isLanguage = (key: string): key is Language => languages.some((language) => language === key)

const maxVersionLength = 255

/** A text that sorts as the package manager orders versions; undefined if the version is none. */
export function toComparedKey(type: ComparedType, version: string): string | undefined {
  if (!isLanguage(type)) return toVersionKey(type, version)
  if (version.length > maxVersionLength) return undefined
  return type === 'npm' ? toNpmKey(version) : toPythonKey(version)
}

/** Identifies a package in inventories and advisories. */
export function toComparedComponent(type: ComparedType, platform: string, name: string): string {
  return isLanguage(type) ? `${type}/${type}/${normaliseName(type, name)}` : toComponentKey(type, platform, name)
}

/** One spelling of a name. The index of Python takes dots, underscores and hyphens for the same. */
export function normaliseName(type: ComparedType, name: string): string {
  const lower = name.trim().toLowerCase()
  return type === 'pypi' ? lower.replaceAll(/[-_.]+/g, '-') : lower
}

const npmVersion = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/

// After the three numbers: the end of a list of identifiers sorts before numbers, those before words, and a release last.
const npmMarks = { end: '0', number: '1', word: '2', release: '3' }

/** The order of Semantic Versioning: a pre-release is older than its release, and builds are the same version. */
function toNpmKey(version: string): string | undefined {
  const [, major, minor, patch, before] = npmVersion.exec(version) ?? []
  if (major === undefined || minor === undefined || patch === undefined) return undefined
  const numbers = [major, minor, patch].map(toNumberKey).join('')
  if (before === undefined) return numbers + npmMarks.release
  // A space ends a word: it sorts before all characters of words, so a prefix is older.
  const identifiers = before
    .split('.')
    .map((one) => (/^\d+$/.test(one) ? npmMarks.number + toNumberKey(one) : `${npmMarks.word}${one} `))
  return numbers + identifiers.join('') + npmMarks.end
}

const pythonVersion = new RegExp(
  [
    /^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)/,
    /(?:[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<phaseNumber>\d+)?)?/,
    /(?:-(?<post>\d+)|[-_.]?(?<isPost>post|rev|r)[-_.]?(?<postNumber>\d+)?)?/,
    /(?:[-_.]?(?<isDev>dev)[-_.]?(?<devNumber>\d+)?)?/,
    /(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
)

/** By the first letter: `c`, `pre` and `preview` are other names of `rc`. */
const pythonPhases = new Map([
  ['a', '1'],
  ['b', '2'],
  ['c', '3'],
  ['p', '3'],
  ['r', '3'],
])

/** The order of Python packages: development, alpha, beta and candidate versions, the release, versions after it, local ones. */
function toPythonKey(version: string): string | undefined {
  const parts = pythonVersion.exec(version.trim().toLowerCase())?.groups
  if (!parts) return undefined
  const { epoch = '', release = '', phase, phaseNumber = '', isDev, devNumber = '', local } = parts
  const post = parts.post ?? (parts.isPost === undefined ? undefined : (parts.postNumber ?? ''))
  const numbers = release
    .replace(/(?:\.0+)+$/, '')
    .split('.')
    .map((one) => `1${toNumberKey(one)}`)
  const ofPhase =
    phase === undefined ? undefined : `${pythonPhases.get(phase.charAt(0)) ?? ''}${toNumberKey(phaseNumber)}`
  const isOnlyDev = isDev !== undefined && post === undefined
  return [
    toNumberKey(epoch),
    `${numbers.join('')}0`,
    ofPhase ?? (isOnlyDev ? '0' : '4'),
    post === undefined ? '0' : `1${toNumberKey(post)}`,
    isDev === undefined ? '1' : `0${toNumberKey(devNumber)}`,
    local === undefined ? '0' : toLocalKey(local),
  ].join('')
}

/** A local version is newer than the same without it. Its words are older than its numbers. */
function toLocalKey(local: string): string {
  const segments = local.split(/[-_.]/).map((one) => (/^\d+$/.test(one) ? `2${toNumberKey(one)}` : `1${one} `))
  return `1${segments.join('')}0`
}
