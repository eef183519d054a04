import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'

export const computerNotFound = problem('ComputerNotFound', 404, 'No computer has this id.')

/** For operations on parts of a computer that say 404 when there is no such computer. */
export async function requireComputer(db: Database, id: number): Promise<void> {
  const found = await db.selectFrom('computers').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: id })
}

/** Requests on one computer, one after the other: until the transaction ends, it stays, and others who hold it wait. */
export async function lockComputer(db: Database, id: number): Promise<void> {
  const held = await db.selectFrom('computers').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!held) throw computerNotFound({ clientId: id })
}
