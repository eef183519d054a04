import { toStorableText } from '../../patches/catalog/patch-document.ts'
import { severityOfScore } from './cvss.ts'
import { cvePattern, isObject, textOf, toDay, toTitle, type VulnerabilityFact } from './vulnerability-document.ts'

/** Reads an entry of the catalog of known exploited vulnerabilities (KEV). Undefined if it is none. */
export function readKevEntry(entry: unknown): VulnerabilityFact | undefined {
  if (!isObject(entry)) return undefined
  const [key, addedOn, dueOn] = [textOf(entry.cveID) ?? '', toDay(entry.dateAdded), toDay(entry.dueDate)]
  if (!cvePattern.test(key) || addedOn === undefined) return undefined
  const title = toTitle(entry.vulnerabilityName)
  return {
    key,
    kevAddedOn: addedOn,
    kevRansomware: entry.knownRansomwareCampaignUse === 'Known',
    ...(dueOn !== undefined && { kevDueOn: dueOn }),
    ...(title !== undefined && { title }),
  }
}

/** Reads a line `cve,epss,percentile` of the scores of EPSS. Undefined for the lines above them. */
export function readEpssLine(line: string): VulnerabilityFact | undefined {
  const [key = '', score = '', percentile = ''] = line.trim().split(',')
  const [epssScore, epssPercentile] = [toShare(score), toShare(percentile)]
  if (!cvePattern.test(key) || epssScore === undefined || epssPercentile === undefined) return undefined
  return { key, epssScore, epssPercentile }
}

function toShare(text: string): number | undefined {
  const share = Number(text)
  return text.trim() !== '' && share >= 0 && share <= 1 ? share : undefined
}

/** Versions of CVSS in the feeds of NVD, the one that counts first. */
const metricNames = ['cvssMetricV31', 'cvssMetricV30', 'cvssMetricV40'] as const

/** Reads an entry of a feed in the format of NVD (version 2.0 of its JSON). Undefined if it has no score. */
export function readNvdEntry(entry: unknown): VulnerabilityFact | undefined {
  const cve = isObject(entry) && isObject(entry.cve) ? entry.cve : undefined
  const key = textOf(cve?.id) ?? ''
  if (!cve || !cvePattern.test(key)) return undefined
  const metrics = isObject(cve.metrics) ? cve.metrics : {}
  const rated = metricNames
    .flatMap((name) => (Array.isArray(metrics[name]) ? (metrics[name] as unknown[]).filter(isObject) : []))
    .flatMap(({ cvssData, type }) => (isObject(cvssData) ? [{ data: cvssData, isPrimary: type === 'Primary' }] : []))
  const { data } = rated.find(({ isPrimary }) => isPrimary) ?? rated[0] ?? {}
  const [score, vector] = [Number(data?.baseScore), textOf(data?.vectorString)]
  if (!(score >= 0 && score <= 10)) return undefined
  const described = (Array.isArray(cve.descriptions) ? cve.descriptions.filter(isObject) : []).find(
    ({ lang }) => lang === 'en',
  )
  const [title, publishedOn] = [toTitle(described?.value), toDay(cve.published)]
  return {
    key,
    cvssScore: score,
    severity: severityOfScore(score),
    ...(vector !== undefined && { cvssVector: toStorableText(vector, 255) }),
    ...(title !== undefined && { title }),
    ...(publishedOn !== undefined && { publishedOn }),
  }
}
