import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'

export const computerNotFound = problem('ComputerNotFound', 404, 'No computer has this id.')

/** Throws `computerNotFound` unless the computer exists. Takes no lock. */
export async function requireComputer(db: Database, id: number): Promise<void> {
  const found = await computerWithId(db, id).executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: id })
}

/** Keeps the computer from being deleted until the transaction ends. Other changes to it do not wait. */
export async function pinComputer(db: Database, id: number): Promise<void> {
  const found = await computerWithId(db, id).forKeyShare().executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: id })
}

/** Serialises requests that change the same computer: others that lock it wait until the transaction ends. */
export async function lockComputer(db: Database, id: number): Promise<void> {
  const found = await computerWithId(db, id).forNoKeyUpdate().executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: id })
}

/** Like `lockComputer`, for many. Returns the ids of those that exist. */
export async function lockComputers(db: Database, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from computers where id = any(${ids}::integer[]) order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}

function computerWithId(db: Database, id: number) {
  return db.selectFrom('computers').select('id').where('id', '=', id)
}
