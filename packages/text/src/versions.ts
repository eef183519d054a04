/**
 * Compares versions of numbers with dots. Missing numbers count as 0. Within a part, digits are compared as a number and everything
 * else as text, so 9 precedes 10, and rc9 precedes rc10.
 */
export function compareDottedVersions(one: string, other: string): number {
  const [left, right] = [one.trim().split('.'), other.trim().split('.')]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareParts(left[at] ?? '0', right[at] ?? '0')
    if (order !== 0) return order
  }
  return 0
}

/** The end of a part precedes everything, and a number precedes text: the order must be the same whatever is compared first. */
function compareParts(one: string, other: string): number {
  const [left, right] = [tokensOf(one), tokensOf(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareTokens(left[at] ?? '', right[at] ?? '')
    if (order !== 0) return order
  }
  return 0
}

const tokensOf = (part: string): string[] => part.match(/\d+|\D+/g) ?? []

const isNumber = (token: string) => /^\d/.test(token)

function compareTokens(one: string, other: string): number {
  if (one === '' || other === '' || isNumber(one) !== isNumber(other)) return rankOf(one) - rankOf(other)
  return isNumber(one) ? compareNumbers(one, other) : compareTexts(one, other)
}

const rankOf = (token: string) => (token === '' ? 0 : isNumber(token) ? 1 : 2)

/** By their length and then by their digits: a number in a version can be longer than JavaScript counts exactly. */
function compareNumbers(one: string, other: string): number {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')]
  return Math.sign(left.length - right.length) || compareTexts(left, right)
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/**
 * Compares versions that may have a suffix. One before a release has it after a hyphen or tilde, or as a word: 1.2.0-rc1 and
 * 1.2.0rc1 precede 1.2.0. A single letter and an underscore stand for later corrections: 1.1.1w follows 1.1.1, and 1.8.0_301 follows
 * 1.8.0. What follows a plus sign or is in brackets does not count.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [splitSuffix(one), splitSuffix(other)]
  return (
    compareDottedVersions(left.numbers, right.numbers) ||
    Math.sign(left.stage - right.stage) ||
    compareDottedVersions(left.suffix, right.suffix)
  )
}

/** The stage is negative before a release, and positive for its corrections. */
function splitSuffix(version: string): { numbers: string; stage: -1 | 0 | 1; suffix: string } {
  const [, numbers = '', rest = ''] = /^([\d.]*)([^+(]*)/.exec(version.trim()) ?? []
  const suffix = rest.trim()
  if (suffix === '') return { numbers, stage: 0, suffix }
  // After z, OpenSSL went on with za.
  if (/^(_|z?[a-z]$)/i.test(suffix)) return { numbers, stage: 1, suffix: suffix.replace(/^_/, '') }
  return { numbers, stage: -1, suffix: suffix.replace(/^[-~]/, '') }
}
