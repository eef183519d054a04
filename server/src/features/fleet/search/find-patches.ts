import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type PatchSeverity, severityOfPatch } from '../../patches/patch-severities.ts'
import { containsWords, maxCandidates, qualityOf, type SearchedText } from './searched-text.ts'

export type FoundPatch = {
  patchId: number
  patchName: string
  qNumber: string | null
  bulletinTitle: string | null
  severity: PatchSeverity
  missing: number
}

export type FoundCve = { cve: string; patchCount: number }

const cvePattern = /^cve-\d{4}(-\d*)?$/i

/** The same expression as in the index, so the beginning of a number is found by it. */
const cves = sql`array_to_tsvector(array_remove(patches.cves, null))`

/** Patches by number, bulletin, name, title or the beginning of a CVE. Of equally good ones, those that most computers lack. */
export async function findPatches(db: Database, searched: SearchedText, top: number): Promise<FoundPatch[]> {
  const isCve = cvePattern.test(searched.text)
  if (!isCve && !searched.isContainable) return []
  const { pattern } = searched
  const quality = sql`least(${qualityOf(sql.ref('q_number'), searched)}, ${qualityOf(sql.ref('key'), searched)})`
  const candidates = isCve
    ? sql`select id, 0 as quality from patches where ${cves} @@ ${prefixQuery(searched)} limit ${maxCandidates}`
    : sql`
      (select id, ${quality} as quality from patches where q_number ilike ${pattern} or bulletin_id ilike ${pattern}
        limit ${maxCandidates})
      union all
      (select id, 4 as quality from patches where ${containsWords(sql.ref('name'), searched)}
        or ${containsWords(sql.ref('bulletin_title'), searched)} limit ${maxCandidates})`
  const { rows } = await sql<FoundPatch>`
    with best as (select id, min(quality) as quality from (${candidates}) as candidates group by id)
    select patches.id as "patchId", patches.name as "patchName", patches.q_number as "qNumber",
      patches.bulletin_title as "bulletinTitle", ${severityOfPatch} as severity, coalesce(counts.missing, 0) as missing
    from best join patches on patches.id = best.id
      left join lateral (
        select sum(missing)::integer as missing from patch_counts where patch_id = best.id
      ) as counts on true
    order by best.quality, coalesce(counts.missing, 0) desc, patches.id limit ${top}`.execute(db)
  return rows
}

/** The numbers of vulnerabilities that begin with the text, each with the number of patches that fix it. */
export async function findCves(db: Database, searched: SearchedText, top: number): Promise<FoundCve[]> {
  if (!cvePattern.test(searched.text)) return []
  const { rows } = await sql<FoundCve>`
    with candidates as materialized (
      select id, cves from patches where ${cves} @@ ${prefixQuery(searched)} limit ${maxCandidates}
    )
    select cve, count(*)::integer as "patchCount"
    from candidates cross join unnest(cves) as cve where starts_with(cve, upper(${searched.text}))
    group by cve order by length(cve), cve limit ${top}`.execute(db)
  return rows
}

function prefixQuery({ text }: SearchedText) {
  return sql`${`'${text.toUpperCase()}':*`}::tsquery`
}
