import { type RawBuilder, sql } from 'kysely'

/** The name of a scan result in the API. `isMissing` is a column of the surrounding query. */
export const scanStatus = (isMissing: string): RawBuilder<string> =>
  sql<string>`case when ${sql.ref(isMissing)} then 'Missing' else 'Installed' end`

/** Whether a scan result has exactly this status; case is ignored. Nothing has an unknown status. */
export const hasScanStatus = (isMissing: string, status: string): RawBuilder<boolean> =>
  isAnyScanStatus(isMissing, (name) => name === status.toLowerCase())

/** Whether the status of a scan result contains this text; case is ignored. */
export const hasScanStatusContaining = (isMissing: string, text: string): RawBuilder<boolean> =>
  isAnyScanStatus(isMissing, (name) => name.includes(text.toLowerCase()))

function isAnyScanStatus(isMissing: string, isWanted: (name: string) => boolean): RawBuilder<boolean> {
  if (isWanted('missing') && isWanted('installed')) return sql<boolean>`true`
  if (isWanted('missing')) return sql<boolean>`${sql.ref(isMissing)}`
  return isWanted('installed') ? sql<boolean>`not ${sql.ref(isMissing)}` : sql<boolean>`false`
}
