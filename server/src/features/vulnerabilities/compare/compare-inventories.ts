import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { findPlatformOfSystem, typeOfPlatform } from '../documents/ecosystems.ts'
import { compareComponents } from './compare-components.ts'
import { type ComponentCandidate, type InstalledOnPlatform, listComponentCandidates } from './component-candidates.ts'

const batchSize = 5_000

/**
 * Compares the software of inventories that have arrived since the last time. Only versions that are new to a platform take
 * work, whatever the number of computers that report them. Returns the vulnerabilities for which anything has changed. Call it in a
 * transaction with the lock `vulnerabilities`.
 */
export async function compareNewInventories(db: Database): Promise<number[]> {
  await recordSystemPlatforms(db)
  const { rows } = await sql<InstalledOnPlatform>`
    with recent as materialized (
      select computers.id, system.platform
      from computers
        join system_platforms system on system.os_name = computers.os_name
          and system.os_version = coalesce(computers.os_version, '')
      where ${isRecent}
    ), present as materialized (
      select distinct installed.product_id, recent.platform
      from recent join installed_software installed on installed.computer_id = recent.id
    )
    select present.product_id as "productId", compared.platform, product.name, product.version,
      case when source.id is not null
        then jsonb_build_object('id', source.id, 'name', source.name, 'version', source.version) end as source
    from present join software_products product on product.id = present.product_id
      left join software_sources source on source.product_id = present.product_id
      cross join lateral (select coalesce(source.language, present.platform) as platform) as compared
    where compared.platform is not null and not exists (
      select from installed_components known
      where known.product_id = present.product_id and known.platform = compared.platform
        and known.software_source_id is not distinct from source.id)`.execute(db)
  const candidates = rows.flatMap((row) => listComponentCandidates(row, typeOfPlatform(row.platform)))
  const changed = new Set<number>()
  for (let at = 0; at < candidates.length; at += batchSize)
    for (const id of await addComponents(db, candidates.slice(at, at + batchSize))) changed.add(id)
  await sql`
    update vulnerability_state set compared_until = now() - ${overlap},
      count_is_due = count_is_due or ${changed.size > 0} or exists (select from computers where ${isRecent})`.execute(
    db,
  )
  return [...changed]
}

/**
 * Inventories keep their date for five minutes while sections arrive, and a transaction may commit some time after it began, so
 * the last ones are read again.
 */
const overlap = sql`interval '10 minutes'`

const isRecent = sql<boolean>`computers.inventory_at >= coalesce(
  (select compared_until from vulnerability_state), '-infinity')`

/** Finds out which platform operating systems are that no computer had before. */
export async function recordSystemPlatforms(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string; version: string }>`
    select distinct os_name as name, coalesce(os_version, '') as version from computers
    where os_name is not null
    except select os_name, os_version from system_platforms`.execute(db)
  if (rows.length === 0) return
  await sql`
    insert into system_platforms (os_name, os_version, platform)
    select * from unnest(${rows.map(({ name }) => name)}::text[], ${rows.map(({ version }) => version)}::text[],
      ${rows.map(({ name, version }) => findPlatformOfSystem(name, version)?.key ?? null)}::text[])
    on conflict on constraint system_platforms_pkey do nothing`.execute(db)
}

/** Adds components and compares them. Once a source package is reported, the assumption about its name is dropped. */
async function addComponents(db: Database, candidates: readonly ComponentCandidate[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with candidate as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) as candidate ("productId" integer, platform text,
        component text, version text, "versionKey" text, stream text, "matchKind" text, "softwareSourceId" integer)
    ), dropped as (
      delete from installed_components assumed using candidate
      where assumed.product_id = candidate."productId" and assumed.platform = candidate.platform
        and assumed.match_kind = 'PackageName' and candidate."softwareSourceId" is not null
    )
    insert into installed_components (product_id, platform, component, version, version_key, stream, match_kind,
      software_source_id)
    select "productId", platform, component, version, "versionKey", stream, "matchKind", "softwareSourceId" from candidate
    on conflict on constraint installed_components_key do nothing
    returning id`.execute(db)
  return compareComponents(db, { componentIds: rows.map(({ id }) => id) })
}
