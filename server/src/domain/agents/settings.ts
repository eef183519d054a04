import { type RawBuilder, sql } from 'kysely'

/** How often an agent comes, where its template does not say so. */
export const usualContactMinutes = 60

/** By this an agent says with which settings it runs. The text of jsonb does not depend on how the manifest is written. */
export function settingsHash(settings: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to((${settings})::jsonb::text, 'UTF8')), 'hex')`
}

/** The minutes between contacts that the settings ask for. */
export function contactMinutes({ contactIntervalMinutes: minutes }: Record<string, unknown>): number {
  return typeof minutes === 'number' && minutes > 0 ? minutes : usualContactMinutes
}
