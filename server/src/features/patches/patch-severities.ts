import { sql } from 'kysely'

/** Severities by their rank in `patches.severity_rank`. */
export const patchSeverities = ['Unrated', 'Low', 'Moderate', 'Important', 'Critical'] as const

export type PatchSeverity = (typeof patchSeverities)[number]

export const severityOfPatch = sql<PatchSeverity>`case patches.severity_rank ${sql.join(
  patchSeverities.map((name, rank) => sql`when ${sql.lit(rank)} then ${sql.lit(name)}`),
  sql` `,
)} end`
