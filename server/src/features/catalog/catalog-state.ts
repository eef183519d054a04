import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * One object of a catalog in a form that can be compared. `key` identifies it regardless of case, `name` is for messages,
 * and `fields` is its content.
 */
export type CatalogObject<Fields> = { key: string; name: string; fields: Fields }

export type CatalogDefinition = CatalogObject<{
  designation: string
  kind: 'Category' | 'Scalar' | 'Collection' | 'UserDefined'
  description: string | null
  default: string | null
  secret: boolean
}> & { parentKey: string | null; depth: number }

export type CatalogConfiguration = CatalogObject<{
  name: string
  description: string | null
  /** Ordered by `variable`, the key of the variable. */
  values: { variable: string; value: string; schedule: string | null }[]
}>

export type CatalogSoftwareClass = CatalogObject<{ name: string; description: string | null; packages: string[] }>

export type CatalogComputerRole = CatalogObject<{ role: 'DepotServer' | 'MasterServer' }> & {
  computer: { name: string; domain: string }
}

export type CatalogState = {
  variableDefinitions: CatalogDefinition[]
  variableConfigurations: CatalogConfiguration[]
  softwareClasses: CatalogSoftwareClass[]
  computerRoles: CatalogComputerRole[]
}

/** The key of a computer role. SQL statements read name and domain from it as JSON. */
export const computerKey = (name: string, domain: string) => JSON.stringify([name.toLowerCase(), domain.toLowerCase()])

/** Reads the catalog from the database. `systemKeys` are the definitions that must never be removed. */
export async function loadCatalogState(db: Database): Promise<CatalogState & { systemKeys: ReadonlySet<string> }> {
  return { ...(await loadCatalogDefinitions(db)), computerRoles: await listComputerRoles(db) }
}

/** The same without the roles of computers, for which the whole fleet is read. */
export async function loadCatalogDefinitions(
  db: Database,
): Promise<Omit<CatalogState, 'computerRoles'> & { systemKeys: ReadonlySet<string> }> {
  const definitions = await listDefinitions(db)
  return {
    variableDefinitions: definitions.map(({ isSystem: _, ...definition }) => definition),
    systemKeys: new Set(definitions.filter(({ isSystem }) => isSystem).map(({ key }) => key)),
    variableConfigurations: await listConfigurations(db),
    softwareClasses: await listSoftwareClasses(db),
  }
}

async function listDefinitions(db: Database): Promise<(CatalogDefinition & { isSystem: boolean })[]> {
  const rows = await db
    .selectFrom('variable_definitions as definition')
    .leftJoin('variable_definitions as parent', 'parent.id', 'definition.parent_id')
    .select([
      'definition.dotted_name',
      'definition.designation',
      'definition.description',
      'definition.default_value',
      'definition.is_secret',
      'definition.is_system',
    ])
    .select([
      sql<CatalogDefinition['fields']['kind']>`definition.kind`.as('kind'),
      'parent.dotted_name as parent',
      'parent.parent_id as grandparent',
    ])
    .orderBy(sql`lower(definition.dotted_name)`)
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

async function listConfigurations(db: Database): Promise<CatalogConfiguration[]> {
  const { rows } = await sql<CatalogConfiguration['fields']>`
    select configuration.name, configuration.description, coalesce(jsonb_agg(
        jsonb_build_object('variable', lower(definition.dotted_name), 'value', stored.value, 'schedule', stored.schedule)
        order by lower(definition.dotted_name)) filter (where definition.id is not null), '[]') as values
    from variable_configurations configuration
      left join variable_configuration_values stored on stored.configuration_id = configuration.id
      left join variable_definitions definition on definition.id = stored.variable_id
    group by configuration.id order by lower(configuration.name)`.execute(db)
  return rows.map((fields) => ({ key: fields.name.toLowerCase(), name: fields.name, fields }))
}

async function listSoftwareClasses(db: Database): Promise<CatalogSoftwareClass[]> {
  const { rows } = await sql<CatalogSoftwareClass['fields']>`
    select class.name, class.description,
      array(
        select member.package_id::text from software_class_packages member where member.class_id = class.id order by 1
      ) as packages
    from software_classes class order by lower(class.name)`.execute(db)
  return rows.map((fields) => ({ key: fields.name.toLowerCase(), name: fields.name, fields }))
}

async function listComputerRoles(db: Database): Promise<CatalogComputerRole[]> {
  const { rows } = await sql<{ name: string; domain: string; role: CatalogComputerRole['fields']['role'] }>`
    select name, domain, role from computers where role <> 'Client' order by lower(name), lower(domain)`.execute(db)
  return rows.map(({ name, domain, role }) => ({
    key: computerKey(name, domain),
    name: `${name}.${domain}`,
    computer: { name, domain },
    fields: { role },
  }))
}
