import { DocumentFault, toStorableText } from '../../patches/catalog/patch-document.ts'
import { scoreOfVector } from './cvss.ts'
import { findPlatformOfEcosystem } from './ecosystems.ts'
import {
  cvePattern,
  isObject,
  noVersions,
  textOf,
  textsOf,
  toDay,
  toSeverity,
  toTitle,
  toVulnerableRange,
  type VersionRange,
  type VulnerabilityEntries,
  type VulnerabilityFact,
} from './vulnerability-document.ts'

const maxVulnerabilities = 2_000
const maxListedVersions = 10_000

/** Reads a document in the format of OSV. Statements about ecosystems that are not compared are counted and left out. */
export function readOsv(content: unknown): VulnerabilityEntries {
  if (!isObject(content)) throw new DocumentFault('is not an object')
  const id = textOf(content.id)
  if (!id || !/^[\w:.+-]{1,100}$/.test(id)) throw new DocumentFault('has no id of OSV')
  if (content.affected !== undefined && !Array.isArray(content.affected))
    throw new DocumentFault('affected must be an array')
  if (content.withdrawn !== undefined) return { facts: [], ranges: [], ignored: 1 }
  const keys = listKeys(id, content)
  const affected = ((content.affected ?? []) as unknown[]).filter(isObject)
  let ignored = 0
  const ranges = affected.flatMap((one) => {
    const found = readAffected(one).flatMap(({ versions, ...named }) =>
      keys.flatMap((vulnerability) => toVulnerableRange({ ...named, vulnerability, advisory: id }, versions) ?? []),
    )
    if (found.length === 0) ignored++
    return found
  })
  return { facts: ranges.length > 0 ? listFacts(keys, content, affected) : [], ranges, ignored }
}

/** The vulnerabilities that the document is about: those it is, or stands for; otherwise those it is related to. */
function listKeys(id: string, { aliases, upstream, related }: Record<string, unknown>): string[] {
  const own = id.replace(/^(?:DEBIAN|UBUNTU)-(?=CVE-)/, '')
  const listCves = (texts: readonly string[]) => [...new Set(texts)].filter((text) => cvePattern.test(text))
  const cves = listCves([own, ...textsOf(aliases), ...textsOf(upstream)])
  const found = cves.length > 0 ? cves : listCves(textsOf(related))
  return (found.length > 0 ? found : [id]).slice(0, maxVulnerabilities)
}

function readAffected(affected: Record<string, unknown>) {
  const named = isObject(affected.package) ? affected.package : {}
  const [name, platform] = [textOf(named.name), findPlatformOfEcosystem(textOf(named.ecosystem) ?? '')]
  const urgency = isObject(affected.ecosystem_specific) ? affected.ecosystem_specific.urgency : undefined
  // Debian uses this word for what has no effect on security, for example in code that is not built.
  if (!name || !platform || urgency === 'unimportant') return []
  return readRanges(affected).map((versions) => ({ name, platform, versions }))
}

function readRanges({ ranges, versions }: Record<string, unknown>): VersionRange[] {
  const comparable = (Array.isArray(ranges) ? ranges : []).filter(isObject).filter(isOfVersions)
  if (comparable.length > 0) return comparable.flatMap(({ events }) => readEvents(events))
  return textsOf(versions)
    .slice(0, maxListedVersions)
    .map((version) => ({ introduced: version, fixed: null, lastAffected: version }))
}

/** Other ranges are about revisions of the source code. */
const isOfVersions = ({ type }: Record<string, unknown>) => type === 'ECOSYSTEM' || type === 'SEMVER'

/** The events of a range are in the order of the versions. */
function readEvents(events: unknown): VersionRange[] {
  const found: VersionRange[] = []
  let open: VersionRange | undefined
  for (const event of (Array.isArray(events) ? events : []).filter(isObject)) {
    const [introduced, fixed, last] = [textOf(event.introduced), textOf(event.fixed), textOf(event.last_affected)]
    if (introduced !== undefined) open = { ...noVersions, introduced: introduced === '0' ? null : introduced }
    if (fixed !== undefined) found.push({ ...(open ?? noVersions), fixed })
    else if (last !== undefined) found.push({ ...(open ?? noVersions), lastAffected: last })
    if (fixed !== undefined || last !== undefined) open = undefined
  }
  return open ? [...found, open] : found
}

/** The rating of one vulnerability. An advisory for several of them does not say to which its severity belongs. */
function listFacts(
  keys: readonly string[],
  content: Record<string, unknown>,
  affected: readonly Record<string, unknown>[],
): VulnerabilityFact[] {
  const [key, ...others] = keys
  if (key === undefined || others.length > 0) return []
  const rated = [content, ...affected].flatMap(({ severity }) =>
    Array.isArray(severity) ? severity.filter(isObject) : [],
  )
  const vector = rated.map(({ score }) => textOf(score)).find((score) => score?.startsWith('CVSS:3'))
  const score = vector === undefined ? undefined : scoreOfVector(vector)
  const specific = [content.database_specific, ...affected.map((one) => one.ecosystem_specific)].filter(isObject)
  const words = [
    ...rated.filter(({ type }) => type === 'Ubuntu').map((one) => one.score),
    ...specific.flatMap((one) => [one.severity, one.urgency]),
  ]
  const severity = words.map(toSeverity).find((found) => found !== undefined)
  const title = toTitle(content.summary) ?? toTitle(content.details)
  const publishedOn = toDay(content.published)
  return [
    {
      key,
      ...(title !== undefined && { title }),
      ...(publishedOn !== undefined && { publishedOn }),
      ...(severity !== undefined && { severity }),
      ...(score !== undefined && vector !== undefined && { cvssScore: score, cvssVector: toStorableText(vector, 255) }),
    },
  ]
}
