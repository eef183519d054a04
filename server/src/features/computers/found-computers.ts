import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { DB } from '../../database/tables.ts'

/** The computers that a statement has found, for `pageOf`. Whatever has an issue is a computer: it need not be looked up. */
export function foundComputers(db: Database, found: RawBuilder<{ computer_id: number }>) {
  const rows = db.selectFrom(sql<{ computer_id: number }>`(${found})`.as('found')).select('found.computer_id as id')
  return { query: rows as unknown as SelectQueryBuilder<DB, 'computers', { id: number }>, once: true }
}
