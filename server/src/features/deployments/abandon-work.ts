import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { closeDependents } from './fail-dependent-work.ts'
import { closePieces, keepSetupError, removeReinstallGroup, tell, writeFailure } from './record-deployment.ts'

/** So often an agent may lose a piece of work. What ends the agent each time is not begun for ever. */
const mostLosses = 10

const errorText = `The work was handed out ${mostLosses} times, and no agent said how it ended.`

type Handed = { id: number; attempt: number; failures: number; postponements: number }

/** Attempts that neither failed nor were postponed got lost. */
export function isLostTooOften({ attempt, failures, postponements }: Handed): boolean {
  return attempt - failures - postponements >= mostLosses
}

/** Closes pieces that were lost too often. The caller has locked them. */
export function giveUp(db: Database, pieces: readonly Handed[]): Promise<void> {
  return closeAsFailed(
    db,
    pieces.map(({ id }) => id),
    errorText,
  )
}

/** Closes pieces that nobody can do, with what depends on them. The caller has locked them. */
export async function closeAsFailed(db: Database, ids: readonly number[], errorText: string): Promise<void> {
  if (ids.length === 0) return
  const closed = await closePieces(db, sql`w.id = any(${ids}::bigint[])`, 'Failed')
  for (const piece of closed) {
    await writeFailure(db, piece, errorText, null)
    await keepSetupError(db, piece, { exitCode: null, commandLine: null, output: errorText })
    await tell(db, piece, 'Failed', null)
    await closeDependents(db, piece)
  }
  await removeReinstallGroup(db, closed)
}
