import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lastOfSite, ringTooLarge } from './problems.ts'

export type GuardSettings = { maxRingPercent: number; isLastOfSiteAllowed: boolean }

/** Tags with this prefix name the site of a computer, as in `site:Berlin`. */
const sitePrefix = 'site:'

/** Tags with this prefix name what a site cannot do without, as in `protected:domain-controller`. */
const protectedPrefix = 'protected:'

/** Throws if a ring touches too large a share of the fleet at once, or all computers on which a site depends. */
export async function guardRings(db: Database, rolloutId: string, settings: GuardSettings): Promise<void> {
  await requireSmallRings(db, rolloutId, settings.maxRingPercent)
  if (!settings.isLastOfSiteAllowed) await requireAnotherPerSite(db, rolloutId)
}

/** At once means within an hour: of a ring that is released over ten hours, a tenth counts. */
async function requireSmallRings(db: Database, rolloutId: string, maxRingPercent: number): Promise<void> {
  const { rows } = await sql<{ ring: number; computers: number; percent: number }>`
    with fleet as (select count(*) as total from computers), sized as (
      select ring.ring, count(placed.computer_id) / greatest(1, ring.release_minutes / 60.0) as computers
      from rollout_rings ring
        join rollout_computers placed on placed.rollout_id = ring.rollout_id and placed.ring = ring.ring
      where ring.rollout_id = ${rolloutId} group by ring.ring, ring.release_minutes
    )
    select ring, ceil(computers)::integer as computers, round(computers * 100 / total, 1)::double precision as percent
    from sized, fleet where computers * 100 > ${maxRingPercent}::integer * total order by ring limit 1`.execute(db)
  if (rows[0]) throw ringTooLarge({ ...rows[0], maxPercent: maxRingPercent })
}

async function requireAnotherPerSite(db: Database, rolloutId: string): Promise<void> {
  const { rows } = await sql<{ ring: number; site: string; role: string }>`
    with tagged as materialized (
      select tagging.computer_id, lower(tags.designation) as tag
      from (select computer_id, tag_id from computer_tags union select computer_id, tag_id from depot_tags) as tagging
        join tags on tags.id = tagging.tag_id
      where lower(tags.designation) like ${`${sitePrefix}%`} or lower(tags.designation) like ${`${protectedPrefix}%`}
    )
    select min(placed.ring) as ring, substr(site.tag, ${sitePrefix.length + 1}::integer) as site,
      substr(needed.tag, ${protectedPrefix.length + 1}::integer) as role
    from tagged needed
      join tagged site on site.computer_id = needed.computer_id and site.tag like ${`${sitePrefix}%`}
      left join rollout_computers placed on placed.rollout_id = ${rolloutId} and placed.computer_id = needed.computer_id
    where needed.tag like ${`${protectedPrefix}%`}
    group by site.tag, needed.tag
    having count(*) = count(placed.ring) and count(distinct placed.ring) = 1
    order by 1, 2, 3 limit 1`.execute(db)
  if (rows[0]) throw lastOfSite({ ...rows[0] })
}
