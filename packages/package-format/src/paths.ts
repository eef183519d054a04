const maxPathLength = 1_000
const maxPathBytes = 2_000
// The limit of common file systems for one name.
const maxNameBytes = 255

// \p{Cf} contains characters that are not visible, such as those that reverse the writing direction.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u
const reservedOnWindows = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i

/**
 * Why a path below the package store or a package is refused, as the end of a sentence about the path; undefined if it
 * is valid. A valid path means the same on every operating system: it is relative, never goes up, and Windows accepts
 * each of its names.
 */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path.length > maxPathLength || Buffer.byteLength(path) > maxPathBytes) return 'is too long'
  if (/^([\\/]|[a-z]:)/i.test(path)) return 'must be relative'
  return firstNameFault(path.split(/[\\/]/))
}

function firstNameFault(names: readonly string[]): string | undefined {
  for (const name of names) {
    const fault = nameFault(name)
    if (fault) return fault
  }
  return undefined
}

/** Why the name of one file or folder is refused, as the end of a sentence; undefined if it is valid. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'must not contain an empty name'
  if (name === '.' || name === '..') return `must not contain the name '${name}'`
  if (invisible.test(name)) return 'must not contain control or invisible characters'
  if (/[<>:"|?*\\/]/.test(name)) return 'must not contain any of < > : " | ? * \\'
  if (/[. ]$/.test(name)) return 'must not contain a name that ends with a dot or a space'
  if (reservedOnWindows.test(name)) return 'must not contain a name that Windows reserves for a device'
  if (Buffer.byteLength(name) > maxNameBytes) return `must not contain a name of more than ${maxNameBytes} bytes`
  return undefined
}

/** The form in which paths are stored and compared. */
export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Names with the same key are the same name on some file system, which ignores case or the Unicode form of accents. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toUpperCase().normalize('NFC')
}

/** An untrusted path or name in quotes, shortened and without invisible characters, for use in a message. */
export function formatPath(path: string): string {
  const visible = path.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return `'${visible.length > 200 ? `${visible.slice(0, 200).toWellFormed()}…` : visible}'`
}
