import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import type { Database } from '../src/database/connect.ts'

export const tableTypesFile = join(import.meta.dirname, '../src/database/tables.ts')

/** Generates the TypeScript types of all tables of a migrated database. */
export function generateTableTypes(db: Database): Promise<string> {
  return generate({
    db,
    dialect: new PostgresDialect(),
    typeMapping: { int8: 'number' },
    typeOnlyImports: true,
    excludePattern: 'pgboss.*',
  })
}

/** Returns whether the file had to be changed. */
export async function writeTableTypes(db: Database): Promise<boolean> {
  const types = await generateTableTypes(db)
  if (types === (await readFile(tableTypesFile, 'utf8').catch(() => ''))) return false
  await writeFile(tableTypesFile, types)
  return true
}
