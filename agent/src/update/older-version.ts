import { compareDottedVersions } from '../work/declared/versions.ts'

/** Whether a version of the agent precedes another. A version before a release has a suffix: 1.2.0-rc1 precedes 1.2.0. */
export function isOlderVersion(version: string, than: string): boolean {
  const [one, other] = [splitSuffix(version), splitSuffix(than)]
  const order = compareDottedVersions(one.numbers, other.numbers)
  if (order !== 0) return order < 0
  if (one.suffix === '' || other.suffix === '') return one.suffix !== '' && other.suffix === ''
  return compareDottedVersions(one.suffix, other.suffix) < 0
}

function splitSuffix(version: string): { numbers: string; suffix: string } {
  const [, numbers = '', suffix = ''] = /^([\d.]*)[-~]?([^+]*)/.exec(version) ?? []
  return { numbers, suffix }
}
