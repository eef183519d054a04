type Evr = { epoch: string | undefined; version: string; release: string | undefined }

/**
 * Compares versions by the rules of rpm. What the second does not state, an epoch or a release, is not compared: manifests mostly
 * name the version alone.
 */
export function compareRpmVersions(one: string, other: string): number {
  const [left, right] = [parse(one), parse(other)]
  const epochs = right.epoch === undefined ? 0 : Math.sign(Number(left.epoch ?? 0) - Number(right.epoch))
  const versions = epochs || compareParts(left.version, right.version)
  if (versions !== 0 || right.release === undefined) return versions
  return compareParts(left.release ?? '', right.release)
}

function parse(text: string): Evr {
  const [, epoch, version = '', release] = /^(?:(\d+):)?([^-]*)(?:-(.*))?$/s.exec(text) ?? []
  return { epoch, version, release }
}

/** Letters, digits and the characters with a meaning; all others only separate them. */
const segments = (text: string) => text.match(/~|\^|\d+|[A-Za-z]+/g) ?? []

/** A tilde is older than the end of a version, and a caret newer than it, but older than anything else. */
function compareParts(one: string, other: string): number {
  const [left, right] = [segments(one), segments(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareSegments(left[at], right[at])
    if (order !== 0) return order
  }
  return 0
}

function compareSegments(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === '~' || other === '~') return one === '~' ? -1 : 1
  if (one === undefined) return -1
  if (other === undefined) return 1
  if (one === '^' || other === '^') return one === '^' ? -1 : 1
  const [isNumber, isOtherNumber] = [/^\d/.test(one), /^\d/.test(other)]
  // A number is newer than letters.
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1
  if (!isNumber) return one < other ? -1 : 1
  const difference = BigInt(one) - BigInt(other)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
