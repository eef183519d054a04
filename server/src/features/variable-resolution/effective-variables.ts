import { type RawBuilder, sql } from 'kysely'

export type OwnerKind = 'computer' | 'group'

/** Where an effective value comes from; a forced value is one of a group too. */
export type ValueSource = 'forced' | 'computer' | 'group' | 'configuration' | 'package' | 'default'

export type EffectiveValue = {
  owner_id: number | string
  variable_id: number
  /** Null when the value is sealed. A secret one may still stand here, out of a configuration or a package. */
  value: string | null
  sealed_value: Buffer | null
  schedule: string | null
  source: ValueSource
  /** The group that holds the value, or through which the configuration or package is assigned. */
  group_id: string | null
}

/**
 * The value that holds for each of the owners and each of the variables, at most one row each. `owners` selects
 * `owner_id` (of computers or of groups), `variables` selects `variable_id`; both may refer to a query around them.
 *
 * In the order of precedence: a forced group value, of these the one highest in its tree; the computer's own value; the
 * value of the nearest group, or of a configuration assigned to it; the default of a package assigned nearest; the
 * default of the catalog. Groups equally high or near: the configuration tree first, then by path. Several configurations
 * or packages of one group: the smallest id. A group has neither a value of a computer nor packages' defaults.
 */
export function effectiveVariables(
  owner: OwnerKind,
  owners: RawBuilder<unknown>,
  variables: RawBuilder<unknown>,
): RawBuilder<EffectiveValue> {
  // `reached` is not materialized, so that the search for values can begin with the few owners or the few groups that
  // have a value. Paths are compared byte by byte, so that every database decides alike.
  return sql<EffectiveValue>`
    with asked as (${owners}),
      wanted as (${variables}),
      reached as not materialized (${owner === 'computer' ? groupsOfComputers : groupsOfGroups}),
      candidates as (
        select r.owner_id, v.variable_id, v.value, v.sealed_value, v.schedule, r.group_id,
          case when v.is_forced then 'forced' else 'group' end as source,
          case when v.is_forced then 1 else 3 end as tier,
          r.distance, 0 as configuration_id, null::uuid as package_id
        from reached r
          join group_variables v on v.group_id = r.group_id
          join wanted using (variable_id)
        union all
        select r.owner_id, v.variable_id, v.value, null, v.schedule, r.group_id,
          'configuration', 3, r.distance, v.configuration_id, null
        from reached r
          join group_variable_configurations c on c.group_id = r.group_id
          join variable_configuration_values v on v.configuration_id = c.configuration_id
          join wanted using (variable_id)
        ${owner === 'computer' ? ownAndPackageValues : sql``}
        union all
        select asked.owner_id, d.id, d.default_value, null, null, null, 'default', 5, 0, 0, null
        from asked cross join wanted
          join variable_definitions d on d.id = wanted.variable_id
        where d.default_value is not null
      )
    select distinct on (owner_id, variable_id)
      owner_id, variable_id, value, sealed_value, schedule, source, group_id
    from candidates left join groups g on g.id = candidates.group_id
    order by owner_id, variable_id, tier, case when source = 'forced' then g.depth else distance end,
      g.tree <> 'ConfigurationGroups', g.path collate "C", configuration_id, package_id`
}

// A pending reinstall puts the computer into a group near the package's assignment. That must not bring the values of
// the groups above it nearer.
const groupsOfComputers = sql`
  select asked.owner_id, above.ancestor_id as group_id, above.distance
  from asked
    join group_computers member on member.computer_id = asked.owner_id
    join groups own on own.id = member.group_id and own.kind <> 'Reinstall'
    join group_ancestors above on above.descendant_id = member.group_id`

const groupsOfGroups = sql`
  select asked.owner_id, above.ancestor_id as group_id, above.distance
  from asked
    join group_ancestors above on above.descendant_id = asked.owner_id`

const ownAndPackageValues = sql`
  union all
  select v.computer_id, v.variable_id, v.value, v.sealed_value, v.schedule, null, 'computer', 2, 0, 0, null
  from asked
    join computer_variables v on v.computer_id = asked.owner_id
    join wanted using (variable_id)
  union all
  select r.owner_id, v.variable_id, v.value, null, null, r.group_id,
    'package', 4, r.distance, 0, v.package_id
  from reached r
    join group_packages p on p.group_id = r.group_id
    join package_variables v on v.package_id = p.package_id
    join wanted using (variable_id)`
