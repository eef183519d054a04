import type pg from 'pg'
import { BackupError } from './backup-error.ts'
import { listTables, quoted } from './catalog.ts'
import { displayName } from './display-name.ts'

const tablesNamed = 5

/** Refuses, and says what would be lost, when somebody has already worked with this database. */
export async function requireNotInUse(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ since: string }>(`
    select coalesce(bootstrapped_at, created_at)::date::text as since from installation
    where bootstrapped_at is not null or exists (select from principals)`)
  const [installation] = rows
  if (!installation) return
  throw new BackupError(
    `The database holds an installation that is in use since ${installation.since}, and all of it would be ` +
      `replaced: ${await contents(client)}. Nothing was changed. Add --force if that is what you want.`,
  )
}

async function contents(client: pg.ClientBase): Promise<string> {
  const counted: { name: string; rows: number }[] = []
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${quoted(table)}`)
    counted.push({ name: displayName(table), rows: Number(rows[0]?.rows ?? 0) })
  }
  const most = counted.sort((one, other) => other.rows - one.rows).slice(0, tablesNamed)
  return `${most.map(({ name, rows }) => `${rows} rows in ${name}`).join(', ')} and the rest`
}
