/** Compares versions of numbers with dots. Missing numbers count as 0, and anything else is compared as text. */
export function compareDottedVersions(one: string, other: string): number {
  const [left, right] = [one.trim().split('.'), other.trim().split('.')]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareParts(left[at] ?? '0', right[at] ?? '0')
    if (order !== 0) return order
  }
  return 0
}

function compareParts(one: string, other: string): number {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) return Math.sign(Number(one) - Number(other))
  return one === other ? 0 : one < other ? -1 : 1
}

/**
 * Compares versions that may have a suffix. One before a release has it after a hyphen or tilde: 1.2.0-rc1 precedes 1.2.0. What
 * follows a plus sign does not count.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [splitSuffix(one), splitSuffix(other)]
  const order = compareDottedVersions(left.numbers, right.numbers)
  if (order !== 0 || left.suffix === right.suffix) return order
  if (left.suffix === '' || right.suffix === '') return left.suffix === '' ? 1 : -1
  return compareDottedVersions(left.suffix, right.suffix)
}

function splitSuffix(version: string): { numbers: string; suffix: string } {
  const [, numbers = '', suffix = ''] = /^([\d.]*)[-~]?([^+]*)/.exec(version.trim()) ?? []
  return { numbers, suffix }
}
