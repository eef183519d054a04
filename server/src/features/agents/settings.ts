import { type RawBuilder, sql } from 'kysely'

/** How often an agent comes, where its template does not say so. */
const usualContactMinutes = 60
const shortestContactMinutes = 0.01
const longestContactMinutes = 10_080

/** By this an agent says with which settings it runs. The text of jsonb does not depend on how the manifest is written. */
export function settingsHash(settings: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to((${settings})::jsonb::text, 'UTF8')), 'hex')`
}

/** The minutes between contacts that the setting `contactIntervalMinutes` asks for, whatever a template says there. */
export function contactMinutes(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return usualContactMinutes
  return Math.min(longestContactMinutes, Math.max(shortestContactMinutes, setting))
}
