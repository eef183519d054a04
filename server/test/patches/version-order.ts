/** Compares two versions; negative if the first is older. */
export type VersionOrder = (one: string, other: string) => number

/**
 * The rules of dpkg and of rpm, followed character by character as their manuals describe them. The tests compare the keys
 * of versions with these.
 */
export const compareDebian: VersionOrder = (one, other) => compareParts(one, other, compareDebianPart)

export const compareRpm: VersionOrder = (one, other) => compareParts(one, other, compareRpmPart)

function compareParts(one: string, other: string, compare: VersionOrder): number {
  const [first, second] = [partsOf(one), partsOf(other)]
  return (
    first.epoch - second.epoch ||
    compare(first.upstream, second.upstream) ||
    compare(first.revision, second.revision) ||
    0
  )
}

function partsOf(version: string) {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version) ?? []
  const [, upstream = rest, revision = ''] = /^(.*)-([^-]*)$/s.exec(rest) ?? []
  return { epoch: Number(epoch), upstream, revision }
}

const isDigit = (character: string | undefined) => character !== undefined && /\d/.test(character)

function compareDebianPart(one: string, other: string): number {
  let [a, b] = [one, other]
  while (a || b) {
    while ((a && !isDigit(a[0])) || (b && !isDigit(b[0]))) {
      const difference = weightOf(a[0]) - weightOf(b[0])
      if (difference) return difference
      a = a.slice(1)
      b = b.slice(1)
    }
    const [first, second] = [leadingNumber(a), leadingNumber(b)]
    if (first.value !== second.value) return first.value < second.value ? -1 : 1
    a = first.rest
    b = second.rest
  }
  return 0
}

function weightOf(character: string | undefined): number {
  if (character === undefined || isDigit(character)) return 0
  if (character === '~') return -1
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 256)
}

function leadingNumber(text: string) {
  const digits = /^\d*/.exec(text)?.[0] ?? ''
  return { value: BigInt(digits || '0'), rest: text.slice(digits.length) }
}

function compareRpmPart(one: string, other: string): number {
  let [a, b] = [one, other]
  while (a || b) {
    a = a.replace(/^[^A-Za-z0-9~^]+/, '')
    b = b.replace(/^[^A-Za-z0-9~^]+/, '')
    if (a[0] === '~' || b[0] === '~') {
      if (a[0] !== b[0]) return a[0] === '~' ? -1 : 1
    } else if (a[0] === '^' || b[0] === '^') {
      if (!a || !b) return a ? 1 : -1
      if (a[0] !== b[0]) return a[0] === '^' ? -1 : 1
    } else break
    a = a.slice(1)
    b = b.slice(1)
  }
  if (!a || !b) return a.length - b.length
  const segment = isDigit(a[0]) ? /^\d+/ : /^[A-Za-z]+/
  const [first, second] = [segment.exec(a)?.[0] ?? '', segment.exec(b)?.[0] ?? '']
  if (!second) return isDigit(a[0]) ? 1 : -1
  const difference = isDigit(a[0]) ? compareNumbers(first, second) : compareTexts(first, second)
  return difference || compareRpmPart(a.slice(first.length), b.slice(second.length))
}

const compareNumbers: VersionOrder = (one, other) => Number(BigInt(one) - BigInt(other))

export const compareTexts: VersionOrder = (one, other) => (one === other ? 0 : one < other ? -1 : 1)
