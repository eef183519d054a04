import { checkDocument } from './check-document.ts'
import { listCsafFiles } from './csaf-files.ts'
import { CsafProducts } from './csaf-products.ts'
import { csafSchema } from './csaf-schema.ts'
import type { Csaf, Remediation, Vulnerability } from './csaf-types.ts'
import {
  DocumentFault,
  type DocumentPatch,
  type PatchDetails,
  type PatchDocument,
  toStorableText,
} from './patch-document.ts'

/** The details of one patch, collected from several vulnerabilities. */
type Draft = { ids: Set<string>; cves: Set<string>; scores: number[]; severities: string[]; urls: Set<string> }

const severities = ['low', 'medium', 'moderate', 'high', 'important', 'critical']

/**
 * Validates and reads a CSAF 2.0 advisory. A fix with a knowledge base number is the patch of that number, in every
 * advisory. All other fixes of an advisory form one patch, which has the id of the advisory.
 */
export function readCsaf(content: unknown): PatchDocument {
  checkDocument(csafSchema, content)
  const csaf = content as Csaf
  const { tracking, publisher } = csaf.document
  if (tracking.status === 'draft') throw new DocumentFault('document.tracking.status is draft')
  const products = new CsafProducts(csaf.product_tree)
  const drafts = new Map<string, Draft>()
  for (const vulnerability of csaf.vulnerabilities ?? []) collectFixes(drafts, vulnerability, products)
  return {
    format: 'Csaf',
    key: toStorableText(`${publisher.namespace} ${tracking.id}`, 1_000).toLowerCase(),
    revisedAt: new Date(tracking.current_release_date),
    patches: [...drafts].flatMap(([qNumber, draft]) => buildPatch(csaf, qNumber, draft, products)),
  }
}

function collectFixes(drafts: Map<string, Draft>, vulnerability: Vulnerability, products: CsafProducts): void {
  const fixed = vulnerability.product_status?.fixed ?? vulnerability.product_status?.first_fixed ?? []
  const fixes = (vulnerability.remediations ?? []).filter(({ category }) => category === 'vendor_fix')
  for (const fix of fixes) {
    const ids = products.listProductIds(fix)
    addToDraft(
      drafts,
      findKnowledgeBaseNumber(fix) ?? '',
      vulnerability,
      ids.length > 0 ? ids : fixed,
      products,
      fix.url,
    )
  }
  if (fixes.length === 0 && fixed.length > 0) addToDraft(drafts, '', vulnerability, fixed, products)
}

function addToDraft(
  drafts: Map<string, Draft>,
  qNumber: string,
  vulnerability: Vulnerability,
  ids: readonly string[],
  products: CsafProducts,
  url?: string,
): void {
  const draft = drafts.get(qNumber) ?? { ids: new Set(), cves: new Set(), scores: [], severities: [], urls: new Set() }
  drafts.set(qNumber, draft)
  const fixedIds = new Set(ids)
  for (const id of ids) draft.ids.add(id)
  if (vulnerability.cve) draft.cves.add(vulnerability.cve)
  for (const { products: scored, cvss_v3, cvss_v2 } of vulnerability.scores ?? []) {
    const score = cvss_v3?.baseScore ?? cvss_v2?.baseScore
    if (score !== undefined && scored.some((id) => fixedIds.has(id))) draft.scores.push(score)
  }
  for (const threat of vulnerability.threats ?? []) {
    const threatened = products.listProductIds(threat)
    if (threat.category === 'impact' && (threatened.length === 0 || threatened.some((id) => fixedIds.has(id))))
      draft.severities.push(threat.details)
  }
  if (url) draft.urls.add(url)
}

const numberInText = /\bKB\s?(\d{6,8})\b/i
const numberInUrl = /^https:\/\/support\.microsoft\.com\/(?:[a-z-]+\/)*(\d{6,8})\b/i

function findKnowledgeBaseNumber({ details, url = '' }: Remediation): string | undefined {
  const digits = numberInText.exec(details)?.[1] ?? numberInText.exec(url)?.[1] ?? numberInUrl.exec(url)?.[1]
  return digits && `KB${digits}`
}

function buildPatch(
  { document, product_tree }: Csaf,
  qNumber: string,
  draft: Draft,
  products: CsafProducts,
): DocumentPatch[] {
  const fixedProducts = products.listProducts(draft.ids)
  if (fixedProducts.length === 0) return []
  const { tracking, title, references = [], aggregate_severity: aggregate } = document
  const self = references.find(({ category }) => category === 'self')?.url
  const [url] = draft.urls
  const page = (qNumber && url) || self || url
  const severity = findWorstSeverity(draft.severities) ?? aggregate?.text
  const details: PatchDetails = {
    name: toStorableText(qNumber || title, 500),
    ...(qNumber && { qNumber }),
    bulletinId: toStorableText(tracking.id, 255),
    bulletinTitle: toStorableText(title, 1_000),
    ...(page && { vendorInformationPage: toStorableText(page, 2_048) }),
    ...(severity && { vendorSeverity: toStorableText(severity, 255) }),
    patchType: 'SecurityPatch',
    releaseDate: toDay(tracking.initial_release_date),
    updateDate: toDay(tracking.current_release_date),
    bulletinReviseDate: toDay(tracking.current_release_date),
    ...(draft.scores.length > 0 && { cvssScore: Math.max(...draft.scores) }),
    cves: [...draft.cves],
  }
  const files = listCsafFiles(product_tree, products, draft)
  return [{ key: toStorableText(qNumber || tracking.id, 255), details, products: fixedProducts, files }]
}

/** The worst of the known severities, as the vendor writes it. */
function findWorstSeverity(vendorSeverities: readonly string[]): string | undefined {
  const known = vendorSeverities.filter((text) => severities.includes(text.toLowerCase()))
  const rank = (text: string) => severities.indexOf(text.toLowerCase())
  return known.toSorted((one, other) => rank(other) - rank(one))[0]
}

const toDay = (moment: string) => new Date(moment).toISOString().slice(0, 10)
