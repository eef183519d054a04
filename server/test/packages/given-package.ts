import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Packages } from '../../src/database/tables.ts'

/** A package that was not imported: there is nothing of it in any store. */
export async function givenPackage(db: Database, columns: Partial<Insertable<Packages>> = {}) {
  const name = `package ${randomBytes(6).toString('hex')}`
  return db
    .insertInto('packages')
    .values({ name, package_name: name, version: '1.0', ...columns })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
}
