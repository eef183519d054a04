const longestPath = 1_000
const longestPathBytes = 2_000
// What the file systems of today allow for one name.
const longestNameBytes = 255

// \p{Cf} are characters that nobody sees, such as those that turn the direction of writing.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u
const reservedOnWindows = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i

/**
 * Why a path below the package store or a package is refused, or undefined. A path has the same meaning on every
 * system: it is relative, goes down only, and each of its names is one that Windows, too, can have.
 */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path.length > longestPath || Buffer.byteLength(path) > longestPathBytes) return 'is too long'
  if (/^([\\/]|[a-z]:)/i.test(path)) return 'must be relative'
  return firstFault(path.split(/[\\/]/))
}

function firstFault(names: readonly string[]): string | undefined {
  for (const name of names) {
    const fault = nameFault(name)
    if (fault) return fault
  }
  return undefined
}

/** Why the name of one file or folder is refused, or undefined. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not have an empty part'
  if (name === '.' || name === '..') return `must not have a part '${name}'`
  if (invisible.test(name)) return 'must not contain control or invisible characters'
  if (/[<>:"|?*\\/]/.test(name)) return 'must not contain any of < > : " | ? * \\'
  if (/[. ]$/.test(name)) return 'must not have a part that ends with a dot or a blank'
  if (reservedOnWindows.test(name)) return 'must not have a part that Windows reserves for a device'
  if (Buffer.byteLength(name) > longestNameBytes) return `must not have a part of more than ${longestNameBytes} bytes`
  return undefined
}

/** The one way in which a path is written down: with slashes. */
export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Names with the same key are the same name on some file system: neither case nor the form of accents tells them. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toUpperCase().normalize('NFC')
}

/** A path or name of a stranger, fit to stand in a sentence. */
export function formatPath(path: string): string {
  const visible = path.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return `'${visible.length > 200 ? `${visible.slice(0, 200).toWellFormed()}…` : visible}'`
}
