import { DocumentFault } from '../../patches/catalog/patch-document.ts'
import { findPlatformOfDebianRelease } from './ecosystems.ts'
import {
  isObject,
  noVersions,
  textOf,
  toSeverity,
  toTitle,
  toVulnerableRange,
  type VulnerabilityEntries,
} from './vulnerability-document.ts'

/**
 * Reads what the security tracker of Debian says about one source package: for each vulnerability and release, whether it is open or
 * in which version it was fixed. Open issues without effect (unimportant) and those that were not examined yet (undetermined) are left
 * out, as debsecan does it by default.
 */
export function readTrackerPackage(name: string, content: unknown): VulnerabilityEntries {
  if (!isObject(content)) throw new DocumentFault('is not a document of the Debian security tracker')
  const found: VulnerabilityEntries = { facts: [], ranges: [], ignored: 0 }
  for (const [vulnerability, about] of Object.entries(content)) {
    if (!isObject(about) || !/^(CVE|TEMP)-[\w-]{4,60}$/.test(vulnerability)) continue
    const releases = Object.entries(isObject(about.releases) ? about.releases : {})
    let urgency: ReturnType<typeof toSeverity>
    let isListed = false
    for (const [codename, release] of releases) {
      const platform = findPlatformOfDebianRelease(codename)
      const range = isObject(release) ? toRange(release) : undefined
      if (!platform || !range) {
        found.ignored++
        continue
      }
      const affected = { platform, name, vulnerability, advisory: vulnerability }
      const listed = toVulnerableRange(affected, range)
      if (listed) found.ranges.push(listed)
      isListed ||= listed !== undefined
      urgency ??= toSeverity(isObject(release) ? release.urgency : undefined)
    }
    const title = toTitle(about.description)
    if (isListed)
      found.facts.push({
        key: vulnerability,
        ...(title !== undefined && { title }),
        ...(urgency !== undefined && { severity: urgency }),
      })
  }
  return found
}

/** Undefined if no version of the release has the vulnerability, or nobody knows. */
function toRange({ status, fixed_version: fixed, urgency }: Record<string, unknown>) {
  if (urgency === 'unimportant') return undefined
  if (status === 'open') return noVersions
  const version = textOf(fixed)
  // The version 0 means that the release was never affected.
  return status === 'resolved' && version !== undefined && version !== '0'
    ? { ...noVersions, fixed: version }
    : undefined
}
