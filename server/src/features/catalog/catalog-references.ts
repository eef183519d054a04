import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { invalidPart } from '../../platform/validation.ts'
import type { CatalogState } from './catalog-state.ts'
import type { WantedCatalog } from './parse-catalog.ts'

/** Everything that the document refers to must be there, in the document itself or in the database. */
export async function requireKnownReferences(
  db: Database,
  wanted: WantedCatalog,
  current: CatalogState,
): Promise<void> {
  requireVariables(wanted, current)
  await requirePackages(db, wanted)
  await requireComputers(db, wanted)
}

function requireVariables(wanted: WantedCatalog, current: CatalogState): void {
  const known = new Map(
    [...current.variableDefinitions, ...(wanted.variableDefinitions ?? [])].map((one) => [one.key, one]),
  )
  for (const configuration of wanted.variableConfigurations ?? [])
    for (const { variable } of configuration.fields.values) {
      const definition = known.get(variable)
      const isColumn = definition?.parentKey && known.get(definition.parentKey)?.fields.kind === 'Collection'
      const refuse = (reason: string) =>
        invalidPart('body', `catalog.variableConfigurations.${configuration.name}.${variable}`, reason)
      if (!definition) throw refuse('is not a variable')
      if (definition.fields.kind !== 'Scalar' || isColumn) throw refuse('is not a variable with a single value')
      if (definition.fields.secret) throw refuse('is secret; set it on groups or computers')
    }
}

async function requirePackages(db: Database, { softwareClasses = [] }: WantedCatalog): Promise<void> {
  const ids = [...new Set(softwareClasses.flatMap(({ fields }) => fields.packages))]
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id::text from unnest(${ids}::uuid[]) as id where id not in (select id from packages) limit 1`.execute(db)
  if (rows[0]) throw invalidPart('body', 'catalog.softwareClasses', `names the unknown package ${rows[0].id}`)
}

async function requireComputers(db: Database, { computerRoles = [] }: WantedCatalog): Promise<void> {
  if (computerRoles.length === 0) return
  const { rows } = await sql<{ key: string }>`
    select wanted.key from unnest(${computerRoles.map(({ key }) => key)}::text[]) as wanted (key)
      left join computers c
        on lower(c.name) = wanted.key::jsonb ->> 0 and lower(c.domain) = wanted.key::jsonb ->> 1
    where c.id is null limit 1`.execute(db)
  const unknown = computerRoles.find(({ key }) => key === rows[0]?.key)
  if (unknown) throw invalidPart('body', 'catalog.computerRoles', `names the unknown computer ${unknown.name}`)
}
