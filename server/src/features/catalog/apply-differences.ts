import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Configuration, Definition } from './catalog-state.ts'
import type { Difference, Differences } from './compare-catalogs.ts'

/** Makes the differences go away. Each step is one statement, however many objects it concerns. */
export async function applyDifferences(db: Database, differences: Differences): Promise<void> {
  await applyDefinitions(db, differences.variableDefinitions)
  await applyConfigurations(db, differences.variableConfigurations)
  await removeDefinitions(db, differences.variableDefinitions.removed)
  await applyClasses(db, differences.softwareClasses)
  await applyRoles(db, differences.computerRoles)
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

async function applyDefinitions(db: Database, { added, changed }: Difference<Definition>): Promise<void> {
  const row = ({ key, name, parentKey, fields }: Definition) => ({
    key,
    dotted_name: name,
    parent_key: parentKey,
    ...fields,
  })
  // Parents come before their children.
  for (const depth of [0, 1, 2]) {
    const rows = added.filter((definition) => definition.depth === depth).map(row)
    if (rows.length === 0) continue
    await sql`
      insert into variable_definitions
        (parent_id, designation, dotted_name, kind, description, default_value, is_secret)
      select p.id, d.designation, d.dotted_name, d.kind, d.description, d."default", d.secret
      from jsonb_to_recordset(${json(rows)}) as d (designation text, dotted_name text, parent_key text, kind text,
          description text, "default" text, secret boolean)
        left join variable_definitions p on lower(p.dotted_name) = d.parent_key`.execute(db)
  }
  if (changed.length === 0) return
  await sql`
    update variable_definitions v
    set designation = d.designation, dotted_name = d.dotted_name, kind = d.kind, description = d.description,
      default_value = d."default", is_secret = d.secret
    from jsonb_to_recordset(${json(changed.map(({ after }) => row(after)))}) as d (key text, designation text,
      dotted_name text, kind text, description text, "default" text, secret boolean)
    where lower(v.dotted_name) = d.key`.execute(db)
}

async function removeDefinitions(db: Database, removed: Definition[]): Promise<void> {
  if (removed.length === 0) return
  await sql`delete from variable_definitions where lower(dotted_name) = any(${removed.map(({ key }) => key)})`.execute(
    db,
  )
}

async function applyConfigurations(
  db: Database,
  { added, changed, removed }: Difference<Configuration>,
): Promise<void> {
  const wanted = [...added, ...changed.map(({ after }) => after)].map(({ key, fields }) => ({ key, ...fields }))
  if (wanted.length > 0) {
    await upsertNamed(db, 'variable_configurations', wanted)
    await sql`
      delete from variable_configuration_values v
      using variable_configurations c
      where c.id = v.configuration_id and lower(c.name) = any(${wanted.map(({ key }) => key)})`.execute(db)
    await sql`
      insert into variable_configuration_values (configuration_id, variable_id, value, schedule)
      select c.id, d.id, v.value, v.schedule
      from jsonb_to_recordset(${json(wanted)}) as w (key text, "values" jsonb)
        join variable_configurations c on lower(c.name) = w.key
        cross join jsonb_to_recordset(w."values") as v (variable text, value text, schedule text)
        join variable_definitions d on lower(d.dotted_name) = v.variable`.execute(db)
  }
  if (removed.length > 0)
    await sql`delete from variable_configurations where lower(name) = any(${removed.map(({ key }) => key)})`.execute(db)
}

async function upsertNamed(
  db: Database,
  table: 'variable_configurations' | 'software_classes',
  wanted: { name: string; description: string | null }[],
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (name, description)
    select name, description from jsonb_to_recordset(${json(wanted)}) as wanted (name text, description text)
    on conflict (lower(name)) do update set name = excluded.name, description = excluded.description`.execute(db)
}

async function applyClasses(db: Database, { added, changed, removed }: Differences['softwareClasses']): Promise<void> {
  const wanted = [...added, ...changed.map(({ after }) => after)].map(({ key, fields }) => ({ key, ...fields }))
  if (wanted.length > 0) {
    await upsertNamed(db, 'software_classes', wanted)
    await sql`
      delete from software_class_packages p
      using software_classes c
      where c.id = p.class_id and lower(c.name) = any(${wanted.map(({ key }) => key)})`.execute(db)
    await sql`
      insert into software_class_packages (class_id, package_id)
      select c.id, p.id::uuid
      from jsonb_to_recordset(${json(wanted)}) as w (key text, packages jsonb)
        join software_classes c on lower(c.name) = w.key
        cross join jsonb_array_elements_text(w.packages) as p (id)`.execute(db)
  }
  if (removed.length > 0)
    await sql`delete from software_classes where lower(name) = any(${removed.map(({ key }) => key)})`.execute(db)
}

async function applyRoles(db: Database, { added, changed, removed }: Differences['computerRoles']): Promise<void> {
  const wanted = [...added, ...changed.map(({ after }) => after)]
  // First down, then up: at no moment there are two master servers.
  const steps = [
    [...removed, ...changed.map(({ after }) => after)].map(({ key }) => ({ key, role: 'Client' })),
    wanted.map(({ key, fields }) => ({ key, role: fields.role })),
  ]
  for (const rows of steps)
    if (rows.length > 0)
      await sql`
        update computers c set role = r.role
        from jsonb_to_recordset(${json(rows)}) as r (key text, role text)
        where lower(c.name) = r.key::jsonb ->> 0 and lower(c.domain) = r.key::jsonb ->> 1`.execute(db)
}
