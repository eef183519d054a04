import { checkDocument } from './check-document.ts'
import { listCsafFiles } from './csaf-files.ts'
import { type Fix, listFixedVersions, mergeFixes, readFix } from './csaf-fixes.ts'
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

/** One patch, collected from several vulnerabilities. */
type Draft = { ids: Set<string>; fixes: Fix[]; urls: Set<string> }

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
    key: toStorableText(`${toPublisherKey(publisher)} ${tracking.id}`, 1_000).toLowerCase(),
    revisedAt: new Date(tracking.current_release_date),
    patches: [...drafts].flatMap(([qNumber, draft]) => buildPatch(csaf, qNumber, draft, products)),
  }
}

function collectFixes(drafts: Map<string, Draft>, vulnerability: Vulnerability, products: CsafProducts): void {
  const fixed = vulnerability.product_status?.fixed ?? vulnerability.product_status?.first_fixed ?? []
  const fixes = (vulnerability.remediations ?? []).filter(({ category }) => category === 'vendor_fix')
  const byNumber = Map.groupBy(fixes, (fix) => findKnowledgeBaseNumber(fix) ?? '')
  if (fixes.length === 0 && fixed.length > 0) byNumber.set('', [])
  for (const [qNumber, ofNumber] of byNumber) {
    const named = ofNumber.map((fix) => products.listProductIds(fix))
    const ids = named.length > 0 ? named.flatMap((each) => (each.length > 0 ? each : fixed)) : fixed
    const draft = drafts.get(qNumber) ?? { ids: new Set(), fixes: [], urls: new Set() }
    drafts.set(qNumber, draft)
    for (const id of ids) draft.ids.add(id)
    draft.fixes.push(readFix(vulnerability, ids, products))
    for (const { url } of ofNumber) if (url) draft.urls.add(url)
  }
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
  const { tracking, publisher, title, references = [], aggregate_severity: aggregate } = document
  const self = references.find(({ category }) => category === 'self')?.url
  const [url] = draft.urls
  const page = (qNumber && url) || self || url
  const details: PatchDetails = {
    name: toStorableText(qNumber || title, 500),
    ...(qNumber && { qNumber }),
    bulletinId: toStorableText(tracking.id, 255),
    bulletinTitle: toStorableText(title, 1_000),
    ...(page && { vendorInformationPage: toStorableText(page, 2_048) }),
    patchType: 'SecurityPatch',
    releaseDate: toDay(tracking.initial_release_date),
    updateDate: toDay(tracking.current_release_date),
    bulletinReviseDate: toDay(tracking.current_release_date),
    ...mergeFixes(draft.fixes, aggregate?.text),
  }
  return [
    {
      key: toStorableText(qNumber || tracking.id, 255),
      ...(!qNumber && { publisher: toPublisherKey(publisher) }),
      details,
      products: fixedProducts,
      fixes: listFixedVersions(draft.fixes, products, aggregate?.text),
      files: listCsafFiles(product_tree, products, draft),
    },
  ]
}

/** Identifies the publisher: the namespace is an address that belongs to it. */
const toPublisherKey = ({ namespace }: Csaf['document']['publisher']) => toStorableText(namespace, 255).toLowerCase()

const toDay = (moment: string) => new Date(moment).toISOString().slice(0, 10)
