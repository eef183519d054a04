import { sql } from 'kysely'

/** How many days ago a patch was released. */
export const releaseAges = ['UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown'] as const

export type ReleaseAge = (typeof releaseAges)[number]

export const releaseAgeOfPatch = sql<ReleaseAge>`case
  when patches.release_date is null then 'Unknown'
  when patches.release_date >= current_date - 7 then 'UpTo7Days'
  when patches.release_date >= current_date - 30 then 'UpTo30Days'
  when patches.release_date >= current_date - 90 then 'UpTo90Days'
  else 'Older' end`
