import { compositeKey } from '@muster/text'
import type { CsafComponent, CsafProducts } from './csaf-products.ts'
import type { Vulnerability } from './csaf-types.ts'
import { type FixDetails, type FixedVersion, toStorableText } from './patch-document.ts'

/** What an advisory says about a vulnerability that a patch fixes, and the ids of the fixed products. */
export type Fix = {
  fixedIds: ReadonlySet<string>
  cve: string | undefined
  scores: number[]
  severities: string[]
  isExploited: boolean
}

/**
 * How a part of the status begins that says so: as Microsoft writes it, as Red Hat names the KEV catalog, and in words. CSAF leaves the
 * text to the publisher, and a denial has the same words: 'Not actively exploited'.
 */
const exploitedPart =
  /^(?:exploited:\s*yes\b|cisa:\s*https:\/\/www\.cisa\.gov\/known-exploited-|(?:actively exploited|exploited in the wild|known exploitation)\b(?!\s*:))/i

const statesExploitation = (status: string) => status.split(/[;\n]/).some((part) => exploitedPart.test(part.trim()))

const severities = ['low', 'medium', 'moderate', 'high', 'important', 'critical']

/** Reads what an advisory says about a vulnerability. `ids` are the products for which there is a fix. */
export function readFix(vulnerability: Vulnerability, ids: readonly string[], products: CsafProducts): Fix {
  const { product_status: { fixed = [], first_fixed = [] } = {}, scores = [], threats = [], cve } = vulnerability
  const withFix = new Set(ids)
  const concerns = (threat: NonNullable<Vulnerability['threats']>[number]) => {
    const threatened = products.listProductIds(threat)
    return threatened.length === 0 || threatened.some((id) => withFix.has(id))
  }
  return {
    // A fix may name the affected products instead: their versions fix nothing.
    fixedIds: new Set([...fixed, ...first_fixed].filter((id) => withFix.has(id))),
    cve,
    scores: scores.flatMap(({ products: scored, cvss_v3, cvss_v2 }) => {
      const score = cvss_v3?.baseScore ?? cvss_v2?.baseScore
      return score !== undefined && scored.some((id) => withFix.has(id)) ? score : []
    }),
    severities: threats.flatMap((threat) => (threat.category === 'impact' && concerns(threat) ? threat.details : [])),
    isExploited: threats.some(
      (threat) => threat.category === 'exploit_status' && statesExploitation(threat.details) && concerns(threat),
    ),
  }
}

/** The vulnerabilities that these fixes fix, with the worst score and severity. */
export function mergeFixes(fixes: readonly Fix[], aggregateSeverity: string | undefined): FixDetails {
  const scores = fixes.flatMap((fix) => fix.scores)
  const severity = findWorstSeverity(fixes.flatMap((fix) => fix.severities)) ?? aggregateSeverity
  return {
    ...(severity && { vendorSeverity: toStorableText(severity, 255) }),
    ...(scores.length > 0 && { cvssScore: Math.max(...scores) }),
    cves: [...new Set(fixes.flatMap(({ cve }) => cve ?? []))],
    exploited: fixes.some(({ isExploited }) => isExploited),
  }
}

/** The worst of the known severities, as the vendor writes it. */
function findWorstSeverity(vendorSeverities: readonly string[]): string | undefined {
  const known = vendorSeverities.filter((text) => severities.includes(text.toLowerCase()))
  const rank = (text: string) => severities.indexOf(text.toLowerCase())
  return known.toSorted((one, other) => rank(other) - rank(one))[0]
}

/** A component in a version, and which of the fixes it has. */
type Group = CsafComponent & { fixes: Fix[] }

/** The versions that fix the vulnerabilities, each with the components that have it. */
export function listFixedVersions(
  fixes: readonly Fix[],
  products: CsafProducts,
  aggregateSeverity: string | undefined,
): FixedVersion[] {
  const groups = groupComponents(fixes, products)
  const newest = new Map<string, string>()
  for (const { component, versionKey } of groups)
    if (versionKey > (newest.get(component) ?? '')) newest.set(component, versionKey)
  const versions = new Map<string, FixedVersion>()
  for (const { component, versionKey, isOfRelease, fixes: own } of groups) {
    // Of several versions for one component, the lower ones belong to other streams of the component, which a later
    // version need not include. An advisory that names no release of the distribution may be about another release.
    const includesLater = isOfRelease && newest.get(component) === versionKey
    const details = own.length < fixes.length ? { details: mergeFixes(own, aggregateSeverity) } : {}
    const key = JSON.stringify([versionKey, includesLater, details])
    const version = versions.get(key)
    if (version) version.components.push(component)
    else versions.set(key, { versionKey, includesLater, components: [component], ...details })
  }
  return [...versions.values()]
}

/** Several ids, such as one for each architecture, may be the same component. */
function groupComponents(fixes: readonly Fix[], products: CsafProducts): Group[] {
  const groups = new Map<string, Group>()
  const byId = new Map<string, Group | undefined>()
  const findGroup = (id: string): Group | undefined => {
    const found = products.findComponent(id)
    if (!found) return undefined
    const key = compositeKey(found.component, found.versionKey)
    const group = groups.get(key) ?? { ...found, fixes: [] }
    groups.set(key, group)
    return group
  }
  for (const fix of fixes)
    for (const id of fix.fixedIds) {
      if (!byId.has(id)) byId.set(id, findGroup(id))
      const group = byId.get(id)
      if (group && group.fixes.at(-1) !== fix) group.fixes.push(fix)
    }
  return [...groups.values()]
}
