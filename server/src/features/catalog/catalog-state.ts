import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Catalog } from './api/schemas.ts'

export type Section = keyof Catalog

/**
 * A catalog as flat lists of objects that can be compared one by one. `key` tells objects apart, `name` is shown, and
 * everything in `fields` is what an object says.
 */
export type CatalogObject<Fields> = { key: string; name: string; fields: Fields }

export type Definition = CatalogObject<{
  designation: string
  kind: 'Category' | 'Scalar' | 'Collection' | 'UserDefined'
  description: string | null
  default: string | null
  secret: boolean
}> & { parentKey: string | null; depth: number }

export type Configuration = CatalogObject<{
  name: string
  description: string | null
  /** By the key of the variable, in the order of keys. */
  values: { variable: string; value: string; schedule: string | null }[]
}>

export type SoftwareClass = CatalogObject<{ name: string; description: string | null; packages: string[] }>

export type ComputerRole = CatalogObject<{ role: 'DepotServer' | 'MasterServer' }> & {
  computer: { name: string; domain: string }
}

export type CatalogState = {
  variableDefinitions: Definition[]
  variableConfigurations: Configuration[]
  softwareClasses: SoftwareClass[]
  computerRoles: ComputerRole[]
}

export const computerKey = (name: string, domain: string) => JSON.stringify([name.toLowerCase(), domain.toLowerCase()])

/** What the database holds now. System definitions are never removed. */
export async function currentCatalog(db: Database): Promise<CatalogState & { systemKeys: ReadonlySet<string> }> {
  const definitions = await storedDefinitions(db)
  return {
    variableDefinitions: definitions.map(({ isSystem: _, ...definition }) => definition),
    systemKeys: new Set(definitions.filter(({ isSystem }) => isSystem).map(({ key }) => key)),
    variableConfigurations: await storedConfigurations(db),
    softwareClasses: await storedClasses(db),
    computerRoles: await storedRoles(db),
  }
}

async function storedDefinitions(db: Database): Promise<(Definition & { isSystem: boolean })[]> {
  const rows = await db
    .selectFrom('variable_definitions as d')
    .leftJoin('variable_definitions as p', 'p.id', 'd.parent_id')
    .select(['d.dotted_name', 'd.designation', 'd.description', 'd.default_value', 'd.is_secret', 'd.is_system'])
    .select([
      sql<Definition['fields']['kind']>`d.kind`.as('kind'),
      'p.dotted_name as parent',
      'p.parent_id as grandparent',
    ])
    .orderBy(sql`lower(d.dotted_name)`)
    .execute()
  return rows.map((row) => ({
    key: row.dotted_name.toLowerCase(),
    name: row.dotted_name,
    parentKey: row.parent?.toLowerCase() ?? null,
    depth: row.parent === null ? 0 : row.grandparent === null ? 1 : 2,
    isSystem: row.is_system,
    fields: {
      designation: row.designation,
      kind: row.kind,
      description: row.description,
      default: row.default_value,
      secret: row.is_secret,
    },
  }))
}

async function storedConfigurations(db: Database): Promise<Configuration[]> {
  const { rows } = await sql<Configuration['fields']>`
    select c.name, c.description, coalesce(jsonb_agg(
        jsonb_build_object('variable', lower(d.dotted_name), 'value', v.value, 'schedule', v.schedule)
        order by lower(d.dotted_name)) filter (where d.id is not null), '[]') as values
    from variable_configurations c
      left join variable_configuration_values v on v.configuration_id = c.id
      left join variable_definitions d on d.id = v.variable_id
    group by c.id order by lower(c.name)`.execute(db)
  return rows.map((fields) => ({ key: fields.name.toLowerCase(), name: fields.name, fields }))
}

async function storedClasses(db: Database): Promise<SoftwareClass[]> {
  const { rows } = await sql<SoftwareClass['fields']>`
    select c.name, c.description,
      array(select p.package_id::text from software_class_packages p where p.class_id = c.id order by 1) as packages
    from software_classes c order by lower(c.name)`.execute(db)
  return rows.map((fields) => ({ key: fields.name.toLowerCase(), name: fields.name, fields }))
}

async function storedRoles(db: Database): Promise<ComputerRole[]> {
  const { rows } = await sql<{ name: string; domain: string; role: ComputerRole['fields']['role'] }>`
    select name, domain, role from computers where role <> 'Client' order by lower(name), lower(domain)`.execute(db)
  return rows.map(({ name, domain, role }) => ({
    key: computerKey(name, domain),
    name: `${name}.${domain}`,
    computer: { name, domain },
    fields: { role },
  }))
}
