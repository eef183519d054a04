import { type RawBuilder, sql } from 'kysely'

type PackageDefault = {
  owner_id: number
  group_id: string
  /** The distance of the group that the package is assigned to. */
  distance: number
  package_id: string
  variable_id: number
  value: string
}

/**
 * Selects the defaults of the packages that computers get from groups within reach. Of the kinds of packages of which a
 * computer can have only one, the nearest package counts. Takes the names of queries for variables and reached groups.
 */
export function packageDefaults(variables: string, reached: string): RawBuilder<PackageDefault> {
  // Materialized, because the assignments depend on no owner: a list of computers reads them once, not for each computer.
  return sql`
    with assignments as materialized (${relevantAssignments(variables)}),
      placed as (
        select reached_group.owner_id, reached_group.group_id, reached_group.distance, assignment.package_id,
          case when assignment.single_kind is null then 1 else rank() over (
            partition by reached_group.owner_id, assignment.single_kind
            order by reached_group.distance, assignment.tree <> 'ConfigurationGroups', assignment.path collate "C"
          ) end as place
        from ${sql.table(reached)} reached_group join assignments assignment using (group_id)
      )
    select placed.owner_id, placed.group_id, placed.distance, placed.package_id, stored.variable_id, stored.value
    from placed
      join package_variables stored using (package_id)
      join ${sql.table(variables)} variable using (variable_id)
    where placed.place = 1`
}

type PackageAssignment = {
  group_id: string
  package_id: string
  /** Set if a computer can have only one package of the kind. Tree and path of the group are then set, too. */
  single_kind: string | null
  tree: string | null
  path: string | null
}

/** The assignments of packages that have a default for one of the variables, or that compete with such a package. */
function relevantAssignments(variables: string): RawBuilder<PackageAssignment> {
  // Few packages have defaults. Arrays, unlike joins, let the planner find their assignments by index.
  const withDefault = sql`package_variables join ${sql.table(variables)} variable using (variable_id)`
  return sql`
    select group_id, package_id, single_kind, null as tree, null as path
    from assigned_packages
    where single_kind is null and package_id = any (array(select package_id from ${withDefault}))
    union all
    select assignment.group_id, assignment.package_id, assignment.single_kind, assigning.tree, assigning.path
    from assigned_packages assignment join groups assigning on assigning.id = assignment.group_id
    where assignment.single_kind = any (array(
      select packages.kind from ${withDefault} join packages on packages.id = package_variables.package_id))`
}
