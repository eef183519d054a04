import { type RawBuilder, sql } from 'kysely'

/** How a package uses a variable. */
export const variableUses = ['Default', 'Condition', 'Secret', 'Command'] as const

export type VariableUse = (typeof variableUses)[number]

/**
 * The names by which manifests mention a variable, in lower case: its dotted name, and how commands get its value. Commands get
 * numbers for the entries of a collection, so a column counts as mentioned if that of the first entry is.
 * `definition` is the alias of `variable_definitions`.
 */
function mentionedNames(definition: string): RawBuilder<string[]> {
  const [name, kind, parentId] = [`dotted_name`, 'kind', 'parent_id'].map((column) =>
    sql.ref(`${definition}.${column}`),
  )
  return sql<string[]>`(
    select array[lower(${name}), 'muster_var_' || env.name, 'muster_secret_' || env.name]
    from (
      select lower(regexp_replace(
        case
          when ${kind} = 'Collection' then ${name} || '_count'
          when parent.kind = 'Collection' then parent.dotted_name || '_1_' || ${sql.ref(`${definition}.designation`)}
          else ${name}
        end, '[^A-Za-z0-9]', '_', 'g')) as name
      from (values (true)) as one left join variable_definitions parent on parent.id = ${parentId}
    ) as env)`
}

type PackageUse = { package_id: string; use: VariableUse; value: string | null }

/** Selects each use of a variable by a package. `definition` is the alias of `variable_definitions`. */
export function packageUses(definition: string): RawBuilder<PackageUse> {
  const [id, name] = [sql.ref(`${definition}.id`), sql.ref(`${definition}.dotted_name`)]
  return sql<PackageUse>`
    select stored.package_id, 'Default' as use, stored.value
    from package_variables stored where stored.variable_id = ${id}
    union all
    select mentioning.id, used.use, null
    from (select ${mentionedNames(definition)} as names offset 0) as known
      join packages mentioning on mentioning.variable_names && known.names
      cross join lateral (
        select 'Condition' as use where lower(${name}) in (
          select lower(item ->> 'name') from jsonb_array_elements(mentioning.manifest #> '{onlyFor,variables}') as item)
        union all
        select 'Secret' where lower(${name}) in (
          select lower(item) from jsonb_array_elements_text(mentioning.manifest -> 'secrets') as item)
        union all
        select 'Command' where mentioning.variable_names && known.names[2:]
      ) as used`
}
