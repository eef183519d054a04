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
