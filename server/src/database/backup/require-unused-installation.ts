import type pg from 'pg'
import { BackupError } from './backup-error.ts'
import { listTables, quoteName } from './catalog.ts'
import { displayName } from './display-name.ts'

const maxListedTables = 5

/** Throws if the installation in the database is in use. The message lists what a restore would replace. */
export async function requireUnusedInstallation(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ since: string }>(`
    select coalesce(bootstrapped_at, created_at)::date::text as since from installation
    where bootstrapped_at is not null or exists (select from principals)`)
  const [installation] = rows
  if (!installation) return
  throw new BackupError(
    `The database contains an installation in use since ${installation.since}. A restore would replace all of it: ` +
      `${await describeRows(client)}. Nothing was changed. Add --force to replace it.`,
  )
}

async function describeRows(client: pg.ClientBase): Promise<string> {
  const counts: { name: string; rows: number }[] = []
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${quoteName(table)}`)
    counts.push({ name: displayName(table), rows: Number(rows[0]?.rows ?? 0) })
  }
  const largest = counts.sort((one, other) => other.rows - one.rows).slice(0, maxListedTables)
  return `${largest.map(({ name, rows }) => `${rows} rows in ${name}`).join(', ')} and all other tables`
}
