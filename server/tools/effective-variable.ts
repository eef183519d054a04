import { join } from 'node:path'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { effectiveVariables } from '../src/features/variable-resolution/effective-variables.ts'
import { migrationsFolder } from '../src/installation/files.ts'

export const effectiveVariableFile = join(migrationsFolder, 'repeatable/effective_variable.sql')

/** The rule of precedence as a function, for the conditions of packages, which the database evaluates. */
export function generateEffectiveVariable(): string {
  const owners = sql<{ owner_id: number }>`select of_computer as owner_id`
  const variables = sql<{ variable_id: number }>`select of_variable as variable_id where of_variable is not null`
  const rule = effectiveVariables('computer', owners, variables)
  const { sql: query, parameters } = sql`select value from (${rule}) as effective`.compile(compiler)
  if (parameters.length > 0) throw new Error('The body of a function has no parameters but its own.')
  return `-- Written by \`npm run generate\` from the rule in server/src/features/variable-resolution. Do not edit.
--
-- The effective value of a variable for a computer; null if it has none or a sealed one.
create or replace function effective_variable(of_computer integer, of_variable integer) returns text language sql stable as $$
  ${query}
$$;
`
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
