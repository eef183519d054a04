import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import { requiredPackageBody, unmetRequirementBody } from '../src/features/assignments/required-packages.ts'
import { effectiveVariables } from '../src/features/variable-resolution/effective-variables.ts'

/** The rule of precedence as a function, for the conditions of packages, which the database evaluates. */
export function generateEffectiveVariable(): string {
  const owners = sql<{ owner_id: number }>`select of_computer as owner_id`
  const variables = sql<{ variable_id: number }>`select of_variable as variable_id where of_variable is not null`
  const rule = effectiveVariables('computer', owners, variables)
  return `${writtenFrom('server/src/features/variable-resolution')}
-- The effective value of a variable for a computer; null if it has none or a sealed one.
create or replace function effective_variable(of_computer integer, of_variable integer) returns text language sql stable as $$
  ${compile(sql`select value from (${rule}) as effective`)}
$$;
`
}

/** What requirements bring to a computer as functions, which are planned once for each connection. */
export function generateRequiredPackages(): string {
  return `${writtenFrom('server/src/features/assignments/required-packages.ts')}
-- What a requirement of a package brings to a computer: its state, and the package that is pulled in, if any is.
create or replace function required_package(of_computer integer, of_name text, of_pulls boolean)
returns table (package_id uuid, state text) rows 1 language plpgsql stable as $$
#variable_conflict use_column
begin
  return query ${compile(requiredPackageBody)};
end $$;

-- What a package requires on a computer, and is for other ones, by its name; null if there is none.
create or replace function unmet_requirement(of_computer integer, of_package uuid) returns text language plpgsql stable as $$
begin
  return (${compile(unmetRequirementBody)});
end $$;
`
}

const writtenFrom = (source: string) => `-- Written by \`npm run generate\` from the rule in ${source}. Do not edit.
--`

function compile(body: RawBuilder<unknown>): string {
  const { sql: query, parameters } = body.compile(compiler)
  if (parameters.length > 0) throw new Error('The body of a function has no parameters but its own.')
  return query
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
