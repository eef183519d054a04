import { DocumentFault, toStorableText } from '../../patches/catalog/patch-document.ts'
import { isObject, textOf, textsOf } from '../documents/vulnerability-document.ts'
import { readPackageUrl } from './stated-package.ts'
import { acceptedUntil, allPackages, type ExceptionStatusName, type VexContent } from './statements.ts'

const objectsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

/** Reads the analysis of vulnerabilities in a document of CycloneDX, from version 1.4 on. */
export function readCycloneDxVex(document: Record<string, unknown>): VexContent {
  if (!Array.isArray(document.vulnerabilities)) throw new DocumentFault('contains no vulnerabilities')
  const urls = packageUrls(document)
  const content: VexContent = { statements: [], ignored: 0, refused: [] }
  for (const [number, entry] of document.vulnerabilities.entries()) {
    const at = `vulnerabilities.${number}`
    const decision = isObject(entry) ? readDecision(entry) : undefined
    if (!decision) content.ignored++
    else if (typeof decision === 'string') content.refused.push({ at, reason: decision })
    else
      for (const [place, ref] of listRefs(entry).entries()) {
        const stated = ref === allPackages ? null : readPackageUrl(urls.get(ref) ?? ref)
        if (typeof stated === 'string') content.refused.push({ at: `${at}.affects.${place}`, reason: stated })
        else content.statements.push({ ...decision, package: stated })
      }
  }
  return content
}

const listRefs = (entry: unknown) =>
  isObject(entry) ? objectsOf(entry.affects).flatMap(({ ref }) => textOf(ref) ?? []) : []

/** The package URLs of components, also of those inside others, by their reference. */
function packageUrls({ components }: Record<string, unknown>): Map<string, string> {
  const urls = new Map<string, string>()
  const pending = objectsOf(components)
  for (let component = pending.pop(); component; component = pending.pop()) {
    const [ref, url] = [textOf(component['bom-ref']), textOf(component.purl)]
    if (ref !== undefined && url !== undefined) urls.set(ref, url)
    pending.push(...objectsOf(component.components))
  }
  return urls
}

/** The decision of an entry; undefined if it is none, and a text that says why it cannot be taken over. */
function readDecision(entry: Record<string, unknown>) {
  const analysis = isObject(entry.analysis) ? entry.analysis : {}
  const until = objectsOf(entry.properties).find(({ name }) => name === acceptedUntil)?.value
  const status = toStatus(analysis, until)
  const vulnerability = textOf(entry.id)
  if (!status) return undefined
  if (vulnerability === undefined) return 'has no id'
  const expiresUtc = typeof until === 'string' ? new Date(until) : null
  if (expiresUtc && Number.isNaN(expiresUtc.getTime()))
    return `states "${acceptedUntil}" with something that is no time`
  const words = [textOf(analysis.detail), textOf(analysis.justification)?.replaceAll('_', ' ')]
  const reason = toStorableText(words.find((word) => word !== undefined) ?? '', 2_000)
  return { vulnerability: toStorableText(vulnerability, 100), status, reason, expiresUtc }
}

/** Only a document of Muster says until when a risk is accepted: of others, what stays as it is is not a decision. */
function toStatus({ state, response }: Record<string, unknown>, until: unknown): ExceptionStatusName | undefined {
  if (state === 'not_affected') return 'NotAffected'
  if (state === 'false_positive') return 'FalsePositive'
  return state === 'exploitable' && until !== undefined && textsOf(response).includes('will_not_fix')
    ? 'Accepted'
    : undefined
}
