export type ComponentType = 'deb' | 'rpm'

/** Longer versions do not occur. The keys of longer numbers would not sort. */
const maxVersionLength = 255

/**
 * A text that sorts, byte by byte, as the package manager orders versions. So the database can compare versions and search
 * for them in an index. Undefined if the version is empty or too long.
 */
export function toVersionKey(type: ComponentType, version: string): string | undefined {
  const isUsable = version.length > 0 && version.length <= maxVersionLength && !version.includes('\0')
  if (!isUsable) return undefined
  const { epoch, upstream, revision } = splitVersion(version)
  const toKey = type === 'deb' ? toDebianKey : toRpmKey
  return `${toNumberKey(epoch)}${toKey(upstream)}${toKey(revision)}`
}

/** Splits `[epoch:]upstream[-revision]`, the form that Debian and RPM share. RPM calls the revision release. */
function splitVersion(version: string): { epoch: string; upstream: string; revision: string } {
  const epoch = /^(\d+):/.exec(version)?.[1]
  const rest = epoch === undefined ? version : version.slice(epoch.length + 1)
  const dash = rest.lastIndexOf('-')
  const [upstream, revision] = dash < 0 ? [rest, ''] : [rest.slice(0, dash), rest.slice(dash + 1)]
  return { epoch: epoch ?? '', upstream, revision }
}

/** A number sorts by its length and then by its digits. Leading zeros and a missing number count as nothing. */
export function toNumberKey(digits: string): string {
  const significant = digits.replace(/^0+/, '')
  return significant.length.toString(16).padStart(2, '0') + significant
}

// Of two Debian versions, the one with a tilde is older, even than the end of the text. Then follow the end, letters, and
// all other characters. These marks sort in this order; letters represent themselves.
const debianMarks = { tilde: '!', end: '"', other: '{' }

/** Pairs of characters and a number, as dpkg compares them. */
function toDebianKey(text: string): string {
  let key = ''
  for (const [, characters = '', digits = ''] of text.matchAll(/(\D*)(\d*)/g)) {
    if (key && !characters && !digits) break
    key += toCharacterKey(characters) + debianMarks.end + toNumberKey(digits)
  }
  return key + debianMarks.end
}

const toCharacterKey = (characters: string) =>
  characters.replaceAll(/[^A-Za-z]/gu, (one) => (one === '~' ? debianMarks.tilde : debianMarks.other + one))

// Of two RPM versions, a tilde is older than the end of the text and a caret is newer. Letters are newer than a caret and
// older than a number. These marks sort in this order.
const rpmMarks = { tilde: '!', end: '"', caret: '#', letters: '$', number: '%' }

/** Segments of letters or digits, as rpm compares them. Everything else only separates segments. */
function toRpmKey(text: string): string {
  let key = ''
  for (const [segment] of text.matchAll(/~|\^|[A-Za-z]+|\d+/g)) {
    if (segment === '~') key += rpmMarks.tilde
    else if (segment === '^') key += rpmMarks.caret
    // A space ends the letters: it sorts before them, so a prefix is older.
    else if (/\d/.test(segment)) key += rpmMarks.number + toNumberKey(segment)
    else key += `${rpmMarks.letters}${segment} `
  }
  return key + rpmMarks.end
}
