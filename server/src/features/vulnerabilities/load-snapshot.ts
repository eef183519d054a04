import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { VulnerabilityEntries, VulnerabilityFact, VulnerableRange } from './documents/vulnerability-document.ts'

const maxBatch = 5_000

export type Snapshot = { sourceId: number; snapshot: number }

/**
 * Writes what an import reads, in batches. Nothing counts until the snapshot becomes that of its source; rows of an import that ended
 * before are deleted by `purgeSnapshots`.
 */
export class SnapshotLoader {
  readonly #db: Database
  readonly #target: Snapshot
  #facts = new Map<string, VulnerabilityFact>()
  #ranges: VulnerableRange[] = []
  #rangeCount = 0

  constructor(db: Database, target: Snapshot) {
    this.#db = db
    this.#target = target
  }

  get rangeCount(): number {
    return this.#rangeCount
  }

  async add({ facts, ranges }: VulnerabilityEntries): Promise<void> {
    for (const fact of facts) this.#facts.set(fact.key, mergeFacts(this.#facts.get(fact.key), fact))
    for (const range of ranges) this.#ranges.push(range)
    this.#rangeCount += ranges.length
    if (this.#facts.size + this.#ranges.length >= maxBatch) await this.flush()
  }

  async flush(): Promise<void> {
    const [facts, ranges] = [[...this.#facts.values()], this.#ranges]
    this.#facts = new Map()
    this.#ranges = []
    for (let at = 0; at < ranges.length; at += maxBatch)
      await insertRanges(this.#db, this.#target, ranges.slice(at, at + maxBatch))
    if (facts.length > 0) await insertFacts(this.#db, this.#target, facts)
  }
}

/** Of two statements of one source, the higher score counts. */
function mergeFacts(known: VulnerabilityFact | undefined, fact: VulnerabilityFact): VulnerabilityFact {
  if (!known) return fact
  const [lower, higher] = (known.cvssScore ?? -1) > (fact.cvssScore ?? -1) ? [fact, known] : [known, fact]
  return { ...lower, ...higher }
}

async function insertRanges(db: Database, target: Snapshot, ranges: readonly VulnerableRange[]): Promise<void> {
  const rows = JSON.stringify(ranges)
  // In one order: imports of two sources at a time must not deadlock.
  await sql`
    insert into vulnerabilities (key)
    select distinct named.key
    from jsonb_to_recordset(${rows}::jsonb) as range (vulnerability text) cross join lateral (select vulnerability as key) named
    where not exists (select from vulnerabilities known where known.key = named.key)
    order by named.key on conflict on constraint vulnerabilities_key_key do nothing`.execute(db)
  await sql`
    insert into vulnerable_ranges (source_id, snapshot, component, vulnerability_id, advisory, introduced_key, fixed_key,
      fixed_version, last_affected_key, stream)
    select ${target.sourceId}, ${target.snapshot}, range.component, known.id, range.advisory, range."introducedKey",
      range."fixedKey", range."fixedVersion", range."lastAffectedKey", range.stream
    from jsonb_to_recordset(${rows}::jsonb) as range (component text, vulnerability text, advisory text,
        "introducedKey" text, "fixedKey" text, "fixedVersion" text, "lastAffectedKey" text, stream text)
      join vulnerabilities known on known.key = range.vulnerability`.execute(db)
}

async function insertFacts(db: Database, target: Snapshot, facts: readonly VulnerabilityFact[]): Promise<void> {
  await sql`
    insert into vulnerability_facts as known (source_id, snapshot, key, title, published_on, severity, cvss_score, cvss_vector,
      epss_score, epss_percentile, kev_added_on, kev_due_on, kev_ransomware)
    select ${target.sourceId}, ${target.snapshot}, key, title, "publishedOn", severity, "cvssScore", "cvssVector",
      "epssScore", "epssPercentile", "kevAddedOn", "kevDueOn", "kevRansomware"
    from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) as fact (key text, title text, "publishedOn" date, severity text,
      "cvssScore" real, "cvssVector" text, "epssScore" real, "epssPercentile" real, "kevAddedOn" date, "kevDueOn" date,
      "kevRansomware" boolean)
    order by key
    on conflict on constraint vulnerability_facts_pkey do update
      set title = coalesce(known.title, excluded.title), published_on = coalesce(known.published_on, excluded.published_on),
        severity = coalesce(known.severity, excluded.severity), cvss_score = greatest(known.cvss_score, excluded.cvss_score),
        cvss_vector = case when excluded.cvss_score > known.cvss_score or known.cvss_vector is null
          then excluded.cvss_vector else known.cvss_vector end`.execute(db)
}

/** The source with this name, which an import creates, and the number of its next snapshot. */
export async function beginSnapshot(
  db: Database,
  { name, format }: { name: string; format: string },
): Promise<Snapshot & { contentHash: Buffer | null; knownFormat: string }> {
  await sql`
    insert into vulnerability_sources (name, format) values (${name}, ${format}) on conflict (lower(name)) do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ id: number; snapshot: number; hash: Buffer | null; format: string }>`
    select id, nextval('vulnerability_snapshots')::integer as snapshot, content_hash as hash, format
    from vulnerability_sources where lower(name) = lower(${name})`.execute(db)
  const [found] = rows
  if (!found) throw new Error('The source of vulnerabilities was deleted.')
  return { sourceId: found.id, snapshot: found.snapshot, contentHash: found.hash, knownFormat: found.format }
}

/** Merges what the current snapshots of all sources say into the vulnerabilities that advisories name. */
export async function mergeVulnerabilityFacts(db: Database): Promise<void> {
  await sql`
    with merged as (
      select fact.key, (array_agg(fact.title order by fact.source_id) filter (where fact.title is not null))[1] as title,
        min(fact.published_on) as published_on, max(fact.cvss_score) as cvss_score,
        (array_agg(fact.cvss_vector order by fact.cvss_score desc nulls last) filter (where fact.cvss_vector is not null))[1]
          as cvss_vector,
        (array_agg(fact.severity order by array_position(array['Critical', 'High', 'Medium', 'Low'], fact.severity))
          filter (where fact.severity is not null))[1] as word,
        max(fact.epss_score) as epss_score, max(fact.epss_percentile) as epss_percentile,
        min(fact.kev_added_on) as kev_added_on, min(fact.kev_due_on) as kev_due_on,
        bool_or(fact.kev_ransomware) as kev_ransomware
      from vulnerability_facts fact
        join vulnerability_sources source on source.id = fact.source_id and source.snapshot = fact.snapshot
      group by fact.key
    ), rated as (
      select v.id, merged.title, merged.published_on, merged.cvss_score, merged.cvss_vector, merged.epss_score,
        merged.epss_percentile, merged.kev_added_on, merged.kev_due_on, merged.kev_ransomware,
        case when merged.cvss_score >= 9 then 'Critical' when merged.cvss_score >= 7 then 'High'
          when merged.cvss_score >= 4 then 'Medium' when merged.cvss_score > 0 then 'Low'
          else coalesce(merged.word, 'Unknown') end as severity
      from vulnerabilities v left join merged on merged.key = v.key
    )
    update vulnerabilities v set title = rated.title, published_on = rated.published_on, cvss_score = rated.cvss_score,
      cvss_vector = rated.cvss_vector, epss_score = rated.epss_score, epss_percentile = rated.epss_percentile,
      kev_added_on = rated.kev_added_on, kev_due_on = rated.kev_due_on, kev_ransomware = rated.kev_ransomware,
      severity = rated.severity
    from rated
    where v.id = rated.id and (v.title, v.published_on, v.cvss_score, v.cvss_vector, v.epss_score, v.epss_percentile,
        v.kev_added_on, v.kev_due_on, v.kev_ransomware, v.severity)
      is distinct from (rated.title, rated.published_on, rated.cvss_score, rated.cvss_vector, rated.epss_score,
        rated.epss_percentile, rated.kev_added_on, rated.kev_due_on, rated.kev_ransomware, rated.severity)`.execute(db)
}
