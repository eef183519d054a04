import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** One statement may write millions of rows. Holds until the transaction ends. */
export async function allowLongStatements(db: Database): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(db)
}
