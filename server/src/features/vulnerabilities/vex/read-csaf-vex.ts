import { CsafProducts } from '../../patches/catalog/csaf-products.ts'
import type { Csaf, Vulnerability } from '../../patches/catalog/csaf-types.ts'
import { toStorableText } from '../../patches/catalog/patch-document.ts'
import { isComparedDistribution } from '../documents/ecosystems.ts'
import { readLanguageUrl } from './stated-package.ts'
import { acceptedUntil, allPackages, type StatedPackage, type VexContent, type VexStatement } from './statements.ts'

/** Reads what a CSAF document says about products that are not affected. */
export function readCsafVex(csaf: Csaf): VexContent {
  const products = new CsafProducts(csaf.product_tree)
  const content: VexContent = { statements: [], ignored: 0, refused: [] }
  for (const [number, vulnerability] of (csaf.vulnerabilities ?? []).entries())
    readVulnerability(content, { at: `vulnerabilities.${number}`, vulnerability, products })
  return content
}

type Place = { at: string; vulnerability: Vulnerability; products: CsafProducts }

function readVulnerability(content: VexContent, { at, vulnerability, products }: Place): void {
  const { product_status: status = {}, cve, ids = [] } = vulnerability
  const key = cve ?? ids[0]?.text
  const { known_not_affected: notAffected = [], known_affected: affected = [] } = status
  const expiresUtc = readAcceptedUntil(vulnerability)
  const accepted = expiresUtc ? affected : []
  content.ignored +=
    affected.length - accepted.length + (status.fixed?.length ?? 0) + (status.under_investigation?.length ?? 0)
  if (key === undefined) return void content.refused.push({ at, reason: 'has neither a CVE nor an id' })
  for (const id of new Set([...notAffected, ...accepted])) {
    const stated = id === allPackages ? null : toStatedPackage(products, id)
    if (typeof stated === 'string') content.refused.push({ at: `${at} ${id.slice(0, 200)}`, reason: stated })
    else
      content.statements.push({
        vulnerability: toStorableText(key, 100),
        ...describe(vulnerability, id, products, accepted.includes(id)),
        expiresUtc: accepted.includes(id) ? expiresUtc : null,
        package: stated,
      })
  }
}

function readAcceptedUntil({ notes = [] }: Vulnerability): Date | null {
  const text = notes.find(({ title }) => title === acceptedUntil)?.text
  const until = text === undefined ? undefined : new Date(text)
  return until && !Number.isNaN(until.getTime()) ? until : null
}

/** The status and the reason of what a document says about a product. */
function describe(
  { threats = [], flags = [], remediations = [] }: Vulnerability,
  id: string,
  products: CsafProducts,
  isAccepted: boolean,
): Pick<VexStatement, 'status' | 'reason'> {
  const concerns = (scope: { product_ids?: string[]; group_ids?: string[] }) => {
    const named = products.listProductIds(scope)
    return named.length === 0 || named.includes(id)
  }
  const details = [
    ...(isAccepted ? remediations.filter(concerns).map((one) => one.details) : []),
    ...threats.filter((one) => one.category === 'impact' && concerns(one)).map((one) => one.details),
    ...flags.filter(concerns).map(({ label }) => label.replaceAll('_', ' ')),
  ]
  const reason = toStorableText(details[0] ?? '', 2_000)
  if (isAccepted) return { status: 'Accepted', reason }
  const isAbsent = flags.some((flag) => flag.label === 'vulnerable_code_not_present' && concerns(flag))
  return { status: isAbsent ? 'FalsePositive' : 'NotAffected', reason }
}

function toStatedPackage(products: CsafProducts, id: string): StatedPackage | string {
  const ofLanguage = readLanguageUrl(products.findPackageUrl(id) ?? '')
  if (ofLanguage) return ofLanguage
  const found = products.findPackage(id)
  if (!found) return 'names no package of dpkg, rpm, npm or PyPI in a version'
  const { type, platform, name, version } = found
  if (!platform.distribution || platform.type !== type || !isComparedDistribution(platform.distribution))
    return `names a package of "${platform.key}", which is not compared with advisories`
  return { type, platform: platform.key, name: name.toLowerCase(), version }
}
