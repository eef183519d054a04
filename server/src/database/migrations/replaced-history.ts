import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { migrationsFolder } from '../../installation/files.ts'
import type { AppliedMigration } from './sql-files.ts'

/** The migrations of the time before the baseline. Together they define the same tables as the baseline. */
export type ReplacedHistory = {
  /** The last commit that has them. */
  commit: string
  /** How many migrations, from the first, are the baseline that replaces them. */
  baseline: number
  migrations: AppliedMigration[]
  /** What makes the last difference to the baseline. */
  upgrade: string
}

export async function readReplacedHistory(folder = migrationsFolder): Promise<ReplacedHistory | undefined> {
  const read = (name: string) => readFile(join(folder, 'replaced', name), 'utf8')
  try {
    return { ...(JSON.parse(await read('history.json')) as ReplacedHistory), upgrade: await read('upgrade.sql') }
  } catch (error) {
    // The tests of migrations use folders without a replaced history.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What to do with a history: nothing, replace it by the baseline, or refuse it because it is not complete. */
export type HistoryState = 'current' | 'replaced' | 'incomplete'

export function classifyHistory(
  applied: readonly AppliedMigration[],
  replaced: ReplacedHistory | undefined,
): HistoryState {
  const isOfReplaced = (index: number) =>
    applied[index]?.name === replaced?.migrations[index]?.name &&
    applied[index]?.checksum === replaced?.migrations[index]?.checksum
  if (!replaced || applied.length === 0 || !isOfReplaced(0)) return 'current'
  return applied.length === replaced.migrations.length && applied.every((_, index) => isOfReplaced(index))
    ? 'replaced'
    : 'incomplete'
}

export const describeIncompleteHistory = ({ commit, migrations }: ReplacedHistory) =>
  `It has migrations of an early version of Muster, but not exactly those up to ${migrations.at(-1)?.name}, from which ` +
  `this version can continue. Start the commit ${commit} first`

/** Replaces the rows of the replaced migrations by those of the baseline, in the transaction of the caller. */
export async function writeBaselineHistory(
  client: pg.ClientBase,
  baseline: readonly AppliedMigration[],
): Promise<void> {
  await client.query('delete from migrations')
  await client.query('insert into migrations (name, checksum) select * from unnest($1::text[], $2::text[])', [
    baseline.map(({ name }) => name),
    baseline.map(({ checksum }) => checksum),
  ])
}
