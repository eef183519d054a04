import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import type { CatalogState } from './catalog-state.ts'
import type { ParsedCatalog } from './parse-catalog.ts'

/** Throws unless everything that the document refers to exists, in the document itself or in the database. */
export async function requireExistingReferences(
  db: Database,
  parsed: ParsedCatalog,
  current: CatalogState,
): Promise<void> {
  requireVariables(parsed, current)
  await requirePackages(db, parsed)
  await requireComputers(db, parsed)
}

function requireVariables(parsed: ParsedCatalog, current: CatalogState): void {
  const known = new Map(
    [...current.variableDefinitions, ...(parsed.variableDefinitions ?? [])].map((definition) => [
      definition.key,
      definition,
    ]),
  )
  for (const configuration of parsed.variableConfigurations ?? [])
    for (const { variable } of configuration.fields.values) {
      const definition = known.get(variable)
      const isCollectionChild = definition?.parentKey && known.get(definition.parentKey)?.fields.kind === 'Collection'
      const refusal = (reason: string) =>
        invalidPart('body', `catalog.variableConfigurations.${configuration.name}.${variable}`, reason)
      if (!definition) throw refusal('is not a known variable')
      if (definition.fields.kind !== 'Scalar' || isCollectionChild)
        throw refusal('is not a variable with a single value')
      if (definition.fields.secret) throw refusal('is secret; set it on groups or computers instead')
    }
}

async function requirePackages(db: Database, { softwareClasses = [] }: ParsedCatalog): Promise<void> {
  const ids = [...new Set(softwareClasses.flatMap(({ fields }) => fields.packages))]
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id::text from unnest(${ids}::uuid[]) as id where id not in (select id from packages) limit 1`.execute(db)
  if (rows[0]) throw invalidPart('body', 'catalog.softwareClasses', `contains the unknown package ${rows[0].id}`)
}

async function requireComputers(db: Database, { computerRoles = [] }: ParsedCatalog): Promise<void> {
  if (computerRoles.length === 0) return
  const { rows } = await sql<{ key: string }>`
    select role.key from unnest(${computerRoles.map(({ key }) => key)}::text[]) as role (key)
      left join computers computer
        on lower(computer.name) = role.key::jsonb ->> 0 and lower(computer.domain) = role.key::jsonb ->> 1
    where computer.id is null limit 1`.execute(db)
  const unknown = computerRoles.find(({ key }) => key === rows[0]?.key)
  if (unknown) throw invalidPart('body', 'catalog.computerRoles', `contains the unknown computer ${unknown.name}`)
}
