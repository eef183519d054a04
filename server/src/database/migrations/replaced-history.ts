import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { migrationsFolder } from '../../installation/files.ts'
import { type AppliedMigration, type Migration, readSqlFiles } from './sql-files.ts'

/** The migrations of the time before the baseline. Together they define the same tables as the baseline. */
export type ReplacedHistory = {
  /** The last commit that has them. */
  commit: string
  /** How many migrations, from the first, are the baseline that replaces them. */
  baseline: number
  migrations: AppliedMigration[]
  /** The last of them, for databases of the version before, which do not have these yet. */
  last: Migration[]
  /** What makes the last difference to the baseline. */
  upgrade: string
}

export async function readReplacedHistory(folder = migrationsFolder): Promise<ReplacedHistory | undefined> {
  const read = (name: string) => readFile(join(folder, 'replaced', name), 'utf8')
  try {
    const files = await readSqlFiles(join(folder, 'replaced'))
    return {
      ...(JSON.parse(await read('history.json')) as Pick<ReplacedHistory, 'commit' | 'baseline' | 'migrations'>),
      last: files.filter(({ name }) => name !== 'upgrade.sql'),
      upgrade: await read('upgrade.sql'),
    }
  } catch (error) {
    // The tests of migrations use folders without a replaced history.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * What to do with a history: nothing, replace it by the baseline, do so after the last replaced migrations, or refuse it
 * because too many of them are missing.
 */
export type HistoryState = 'current' | 'replaced' | 'nearly replaced' | 'incomplete'

export function classifyHistory(
  applied: readonly AppliedMigration[],
  replaced: ReplacedHistory | undefined,
): HistoryState {
  const isOfReplaced = (index: number) =>
    applied[index]?.name === replaced?.migrations[index]?.name &&
    applied[index]?.checksum === replaced?.migrations[index]?.checksum
  if (!replaced || applied.length === 0 || !isOfReplaced(0)) return 'current'
  const missing = replaced.migrations.length - applied.length
  if (missing < 0 || missing > replaced.last.length || !applied.every((_, index) => isOfReplaced(index)))
    return 'incomplete'
  return missing === 0 ? 'replaced' : 'nearly replaced'
}

/** The replaced migrations that a database does not have yet. */
export const missingOf = (applied: readonly AppliedMigration[], { last }: ReplacedHistory): Migration[] =>
  last.filter(({ name }) => !applied.some((migration) => migration.name === name))

export const describeIncompleteHistory = ({ commit, migrations }: ReplacedHistory) =>
  `It has migrations of an early version of Muster, but not those up to ${migrations.at(-1)?.name}, from which ` +
  `this version can continue. Start the commit ${commit} first`

/** Replaces the rows of the replaced migrations with those of the baseline, in the transaction of the caller. */
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
