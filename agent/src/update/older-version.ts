import { compareVersions } from '@muster/text'

/** Whether a version of the agent precedes another. A version before a release has a suffix: 1.2.0-rc1 precedes 1.2.0. */
export function isOlderVersion(version: string, than: string): boolean {
  return compareVersions(version, than) < 0
}
