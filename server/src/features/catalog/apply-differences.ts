import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { endDepotCredentials } from '../depots/depot-credentials.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import type { CatalogConfiguration, CatalogDefinition } from './catalog-state.ts'
import type { CatalogDifferences, SectionDifference } from './compare-catalogs.ts'

/** Writes the differences to the database. Each step is one statement, no matter how many objects it changes. */
export async function applyCatalogDifferences(db: Database, differences: CatalogDifferences): Promise<void> {
  await applyDefinitions(db, differences.variableDefinitions)
  await applyConfigurations(db, differences.variableConfigurations)
  await removeDefinitions(db, differences.variableDefinitions.removed)
  await applyClasses(db, differences.softwareClasses)
  await applyRoles(db, differences.computerRoles)
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

async function applyDefinitions(db: Database, { added, changed }: SectionDifference<CatalogDefinition>): Promise<void> {
  const row = ({ key, name, parentKey, fields }: CatalogDefinition) => ({
    key,
    dotted_name: name,
    parent_key: parentKey,
    ...fields,
  })
  // Parents are inserted before their children.
  for (const depth of [0, 1, 2]) {
    const rows = added.filter((definition) => definition.depth === depth).map(row)
    if (rows.length === 0) continue
    await sql`
      insert into variable_definitions
        (parent_id, designation, dotted_name, kind, description, default_value, is_secret)
      select parent.id, added.designation, added.dotted_name, added.kind, added.description, added."default",
        added.secret
      from jsonb_to_recordset(${json(rows)}) as added (designation text, dotted_name text, parent_key text, kind text,
          description text, "default" text, secret boolean)
        left join variable_definitions parent on lower(parent.dotted_name) = added.parent_key`.execute(db)
  }
  if (changed.length === 0) return
  await sql`
    update variable_definitions definition
    set designation = changed.designation, dotted_name = changed.dotted_name, kind = changed.kind,
      description = changed.description, default_value = changed."default", is_secret = changed.secret
    from jsonb_to_recordset(${json(changed.map(({ after }) => row(after)))}) as changed (key text, designation text,
      dotted_name text, kind text, description text, "default" text, secret boolean)
    where lower(definition.dotted_name) = changed.key`.execute(db)
}

async function removeDefinitions(db: Database, removed: CatalogDefinition[]): Promise<void> {
  if (removed.length === 0) return
  await sql`delete from variable_definitions where lower(dotted_name) = any(${removed.map(({ key }) => key)})`.execute(
    db,
  )
}

async function applyConfigurations(
  db: Database,
  { added, changed, removed }: SectionDifference<CatalogConfiguration>,
): Promise<void> {
  const written = [...added, ...changed.map(({ after }) => after)].map(({ key, fields }) => ({ key, ...fields }))
  if (written.length > 0) {
    await upsertByName(db, 'variable_configurations', written)
    await sql`
      delete from variable_configuration_values stored
      using variable_configurations configuration
      where configuration.id = stored.configuration_id
        and lower(configuration.name) = any(${written.map(({ key }) => key)})`.execute(db)
    await sql`
      insert into variable_configuration_values (configuration_id, variable_id, value, schedule)
      select configuration.id, definition.id, new_value.value, new_value.schedule
      from jsonb_to_recordset(${json(written)}) as written (key text, "values" jsonb)
        join variable_configurations configuration on lower(configuration.name) = written.key
        cross join jsonb_to_recordset(written."values") as new_value (variable text, value text, schedule text)
        join variable_definitions definition on lower(definition.dotted_name) = new_value.variable`.execute(db)
  }
  if (removed.length > 0)
    await sql`delete from variable_configurations where lower(name) = any(${removed.map(({ key }) => key)})`.execute(db)
}

async function upsertByName(
  db: Database,
  table: 'variable_configurations' | 'software_classes',
  objects: { name: string; description: string | null }[],
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (name, description)
    select name, description from jsonb_to_recordset(${json(objects)}) as object (name text, description text)
    on conflict (lower(name)) do update set name = excluded.name, description = excluded.description`.execute(db)
}

async function applyClasses(
  db: Database,
  { added, changed, removed }: CatalogDifferences['softwareClasses'],
): Promise<void> {
  const written = [...added, ...changed.map(({ after }) => after)].map(({ key, fields }) => ({ key, ...fields }))
  const changedGroups = groupsWithClasses(changed.map(({ after }) => after.key))
  if (changed.length > 0)
    await sql`select from groups where id in (${changedGroups}) order by id for update`.execute(db)
  if (written.length > 0) {
    await upsertByName(db, 'software_classes', written)
    // Packages that stay in their class stay untouched: distribution options refer to them.
    await sql`
      with wanted as materialized (
        select class.id as class_id, member.package_id::uuid
        from jsonb_to_recordset(${json(written)}) as written (key text, packages jsonb)
          join software_classes class on lower(class.name) = written.key
          cross join jsonb_array_elements_text(written.packages) as member (package_id)
      ), deleted as (
        delete from software_class_packages member
        using software_classes class
        where class.id = member.class_id and lower(class.name) = any(${written.map(({ key }) => key)})
          and not exists (
            select from wanted where wanted.class_id = member.class_id and wanted.package_id = member.package_id)
      )
      insert into software_class_packages (class_id, package_id)
      select class_id, package_id from wanted
      on conflict do nothing`.execute(db)
  }
  if (removed.length > 0)
    await sql`delete from software_classes where lower(name) = any(${removed.map(({ key }) => key)})`.execute(db)
  // Only classes that no group has can be removed, but packages can leave any class.
  if (changed.length > 0)
    await withdrawUnjustifiedWork(db, { computers: computersBelow(changedGroups) }, { reason: 'ClassChanged' })
}

const groupsWithClasses = (keys: readonly string[]) => sql<{ group_id: string }>`
  select assigned.group_id
  from group_software_classes assigned join software_classes class on class.id = assigned.class_id
  where lower(class.name) = any(${keys}::text[])`

async function applyRoles(
  db: Database,
  { added, changed, removed }: CatalogDifferences['computerRoles'],
): Promise<void> {
  const written = [...added, ...changed.map(({ after }) => after)]
  // Roles are removed before others are set: a unique index allows one master server at a time.
  const steps = [
    [...removed, ...changed.map(({ after }) => after)].map(({ key }) => ({ key, role: 'Client' })),
    written.map(({ key, fields }) => ({ key, role: fields.role })),
  ]
  const changedIds: number[] = []
  for (const rows of steps) {
    if (rows.length === 0) continue
    const updated = await sql<{ id: number }>`
      update computers computer set role = change.role
      from jsonb_to_recordset(${json(rows)}) as change (key text, role text)
      where lower(computer.name) = change.key::jsonb ->> 0
        and lower(computer.domain) = change.key::jsonb ->> 1
      returning computer.id`.execute(db)
    changedIds.push(...updated.rows.map(({ id }) => id))
  }
  if (changedIds.length > 0) await endDepotCredentials(db, changedIds)
}
