import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CountRemovals } from '../../platform/operation.ts'
import { listComputerIds } from './affected-computers.ts'

/** The computers from which a change removes software, as far as the handler has counted them. */
export type CountedRemovals = { count: CountRemovals; computerIds: ReadonlySet<number> }

/** Collects the computers in the transaction of the change. Without a limit, nothing is read. */
export function collectRemovals(db: Database, isLimited: boolean): CountedRemovals {
  const computerIds = new Set<number>()
  return {
    computerIds,
    async count(computers) {
      if (!isLimited) return null
      const ids = await listComputerIds(db, computers)
      for (const id of ids) computerIds.add(id)
      return ids
    },
  }
}

/** Those of the computers for which the principal was not charged within the hour when it declared that they lose software. */
export async function countUndeclared(
  db: Database,
  principalId: number,
  computerIds: ReadonlySet<number>,
): Promise<number> {
  const declared: RawBuilder<unknown> = sql`
    select unnest(computer_ids) from destructive_actions
    where principal_id = ${principalId} and happened_at > clock_timestamp() - interval '1 hour'`
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select unnest(${[...computerIds]}::integer[]) except ${declared}) as undeclared`.execute(db)
  return rows[0]?.count ?? 0
}
