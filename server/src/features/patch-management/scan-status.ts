import { type RawBuilder, sql } from 'kysely'

/** The name of a scan result in the API. `isMissing` is a column of the surrounding query. */
export const scanStatus = (isMissing: string): RawBuilder<string> =>
  sql<string>`case when ${sql.ref(isMissing)} then 'Missing' else 'Installed' end`

/** Whether a scan result has the status with this name; case is ignored. Nothing has an unknown status. */
export function hasScanStatus(isMissing: string, status: string): RawBuilder<boolean> {
  if (status.toLowerCase() === 'missing') return sql<boolean>`${sql.ref(isMissing)}`
  if (status.toLowerCase() === 'installed') return sql<boolean>`not ${sql.ref(isMissing)}`
  return sql<boolean>`false`
}
