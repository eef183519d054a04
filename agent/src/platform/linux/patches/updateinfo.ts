import { isAdvisoryId, isCve, type RpmPatch } from './advisory.ts'
import { parseNevra, type RpmPackage } from './rpm-packages.ts'

/** A line of `dnf updateinfo list`: a package that an advisory brings. */
export type AdvisedPackage = { id: string; label: string; package: RpmPackage }

export type AdvisoryDetails = Pick<RpmPatch, 'title' | 'severity' | 'type' | 'releaseDate' | 'cves'>

/** Parses `dnf updateinfo list`, which marks what is installed with an i. Lines in another form are left out. */
export function parseAdvisoryList(text: string): AdvisedPackage[] {
  return text.split('\n').flatMap((line) => {
    const [id = '', label = '', name = '', ...more] = line.replace(/^i /, '').trim().split(/\s+/)
    const found = parseNevra(name)
    return found && more.length === 0 && isAdvisoryId(id) ? [{ id, label, package: found }] : []
  })
}

/** What the label of a list says: `Important/Sec.`, `bugfix`. */
export function detailsOfLabel(label: string): AdvisoryDetails {
  const severity = /^(\w+)\/Sec\.$/.exec(label)?.[1]
  if (severity === undefined) return { type: typeOf(label), cves: [] }
  return { type: 'SecurityPatch', cves: [], ...(severity !== 'Unknown' && { severity }) }
}

const types: Record<string, RpmPatch['type']> = { security: 'SecurityPatch', newpackage: 'SoftwareDistribution' }
const typeOf = (name: string) => types[name] ?? 'NonSecurityPatch'

const ruler = '='.repeat(79)
/** A name, right-aligned to 11 characters, or spaces in place of it in further lines of the same field. */
const field = /^(?=.{11}: ) *(Update ID|Type|Updated|Bugs|CVEs|Description|Severity)?: (.*)$/s
const none = /^none$/i

/**
 * Parses `dnf updateinfo info`, by the ids of advisories. Each has a title between two rulers, and then its fields. A title with
 * a ruler in it changes nothing of the others.
 */
export function parseAdvisoryDetails(text: string): Map<string, AdvisoryDetails> {
  const found = new Map<string, AdvisoryDetails>()
  const blocks = text.split(`${ruler}\n`)
  for (const [at, block] of blocks.entries()) {
    if (!block.startsWith('  Update ID: ')) continue
    const fields = parseFields(block)
    const id = fields.get('Update ID')?.[0] ?? ''
    if (isAdvisoryId(id)) found.set(id, detailsOf(blocks[at - 1] ?? '', fields))
  }
  return found
}

function detailsOf(title: string, fields: ReadonlyMap<string, readonly string[]>): AdvisoryDetails {
  const first = (name: string) => fields.get(name)?.[0]
  const severity = first('Severity')
  const date = /^\d{4}-\d\d-\d\d/.exec(first('Updated') ?? '')?.[0]
  return {
    title: title.trim().replaceAll(/\s+/g, ' '),
    type: typeOf(first('Type') ?? ''),
    cves: (fields.get('CVEs') ?? []).filter(isCve),
    ...(severity && !none.test(severity) && { severity }),
    ...(date && isDay(date) && { releaseDate: date }),
  }
}

function parseFields(block: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  let last: string[] = []
  for (const line of block.split('\n')) {
    const [, name, value] = field.exec(line) ?? []
    if (value === undefined) continue
    // A description may look like another field, but what it continues has no name.
    if (name !== undefined) {
      last = []
      if (!fields.has(name)) fields.set(name, last)
    }
    last.push(value)
  }
  return fields
}

const isDay = (text: string) => !text.startsWith('0000') && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
