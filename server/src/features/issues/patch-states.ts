import { type RawBuilder, sql } from 'kysely'
import { missingPatches } from '../patches/missing-patches.ts'

/** Ages of the oldest missing security patch of a computer, counted from its release. */
export const patchAges = [
  'NotScanned',
  'NoneMissing',
  'UpTo7Days',
  'UpTo30Days',
  'UpTo90Days',
  'Older',
  'Unknown',
] as const

export type PatchAge = (typeof patchAges)[number]

/** Severities of the most severe missing patch of a computer, the most severe first. */
export const missingSeverities = ['Critical', 'Important', 'Moderate', 'Low', 'Unknown', 'None'] as const

export type MissingSeverity = (typeof missingSeverities)[number]

/** What the age and the severity are derived from: one row for each computer with missing patches. */
export const missingPatchFacts = sql`
  select missing.computer_id, max(patches.severity_rank) as severity_rank,
    bool_or(patches.patch_type = 'SecurityPatch') as has_security_patch,
    min(patches.release_date) filter (where patches.patch_type = 'SecurityPatch') as oldest_release
  from (${missingPatches}) as missing join patches on patches.id = missing.patch_id
  group by missing.computer_id`

/** The patch age of a computer with its row `scan` of `patch_scans` and its row `missing` of `missingPatchFacts`. */
export const patchAge: RawBuilder<PatchAge> = sql<PatchAge>`case
  when scan.computer_id is null then 'NotScanned'
  when missing.has_security_patch is not true then 'NoneMissing'
  when missing.oldest_release is null then 'Unknown'
  when missing.oldest_release >= current_date - 7 then 'UpTo7Days'
  when missing.oldest_release >= current_date - 30 then 'UpTo30Days'
  when missing.oldest_release >= current_date - 90 then 'UpTo90Days'
  else 'Older' end`

/** The severity for the row `missing` of `missingPatchFacts`; ranks are those of `patches.severity_rank`. */
export const missingSeverity: RawBuilder<MissingSeverity> = sql<MissingSeverity>`case missing.severity_rank
  when 4 then 'Critical' when 3 then 'Important' when 2 then 'Moderate' when 1 then 'Low' when 0 then 'Unknown'
  else 'None' end`
