import { sql } from 'kysely'

/** How the API calls what a scan found, for rows of `computer_patches`. */
export const scanStatus = sql<string>`case when computer_patches.is_missing then 'Missing' else 'Installed' end`

/** Whether a row is of the status that a filter names, in upper or lower case. */
export const hasScanStatus = (name: string) => {
  const status = name.toLowerCase()
  if (status !== 'missing' && status !== 'installed') return sql<boolean>`false`
  return status === 'missing'
    ? sql<boolean>`computer_patches.is_missing`
    : sql<boolean>`not computer_patches.is_missing`
}
