import { type RawBuilder, sql } from 'kysely'
import { packageDefaults } from './package-defaults.ts'

export type OwnerKind = 'computer' | 'group'

/** Where an effective value comes from. A forced value is a group value too. */
export type ValueSource = 'forced' | 'computer' | 'group' | 'configuration' | 'package' | 'default'

export type EffectiveValue = {
  owner_id: number | string
  variable_id: number
  /** Null if the value is sealed. The value of a secret variable may be here if a configuration or package set it. */
  value: string | null
  sealed_value: Buffer | null
  schedule: string | null
  source: ValueSource
  /** The group that has the value, or that the configuration or package is assigned to. */
  group_id: string | null
}

/**
 * Selects the effective value of each variable for each owner: at most one row per pair. `owners` selects the `owner_id`
 * of computers or of groups, `variables` selects the `variable_id`. Both may refer to an outer query.
 *
 * In the order of precedence, the value is
 * 1. a value that a group forces; of several, the one of the group highest in its tree,
 * 2. the computer's own value,
 * 3. the value of the nearest group; a group's own value comes before those of configurations assigned to it,
 * 4. the default of a package assigned to the nearest group, whatever the kind of the package; of an agent template, an
 *    operating system or a boot image, only the effective one counts,
 * 5. the default in the catalog.
 *
 * A value with a schedule does not exist before the time that the schedule names.
 *
 * Of groups at the same depth or distance, the configuration tree comes first, then the order of paths decides. Of
 * several configurations or packages of one group, the smallest id wins. For groups, 2 and 4 do not apply.
 */
export function effectiveVariables(
  owner: OwnerKind,
  owners: RawBuilder<{ owner_id: number | string }>,
  variables: RawBuilder<{ variable_id: number }>,
): RawBuilder<EffectiveValue> {
  return sql<EffectiveValue>`
    with ${candidateCtes(owner, owners, variables)}
    select distinct on (owner_id, variable_id)
      owner_id, variable_id, value, sealed_value, schedule, source, group_id
    from candidates left join groups on groups.id = candidates.group_id
    order by owner_id, variable_id, ${precedence}`
}

/** Every value that applies to the computer, with its `place` in the order of precedence: the first is the effective one. */
export function variableCandidates(computerId: number, variableId: number): RawBuilder<VariableCandidate> {
  const owners = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  return sql<VariableCandidate>`
    with ${candidateCtes('computer', owners, sql`select ${variableId}::integer as variable_id`)}
    select candidates.*, groups.path as group_path, groups.depth, groups.tree <> 'ConfigurationGroups' as in_assignment_tree,
      row_number() over (order by ${precedence})::integer as place
    from candidates left join groups on groups.id = candidates.group_id`
}

const precedence = sql`tier, case when source = 'forced' then groups.depth else distance end,
  groups.tree <> 'ConfigurationGroups', groups.path collate "C", configuration_id, package_id`

function candidateCtes(
  owner: OwnerKind,
  owners: RawBuilder<{ owner_id: number | string }>,
  variables: RawBuilder<{ variable_id: number }>,
): RawBuilder<unknown> {
  // `reached` is not materialized: the planner may then start either from the owners or from the groups that have a
  // value, whichever are fewer. Paths are compared with collation "C" to get the same order in every database.
  return sql`
    owners as (${owners}),
      variables as (${variables}),
      reached as not materialized (${owner === 'computer' ? groupsOfComputers('owners') : groupsOfGroups('owners')}),
      candidates as (
        select reached.owner_id, stored.variable_id, stored.value, stored.sealed_value, stored.schedule,
          reached.group_id,
          case when stored.is_forced then 'forced' else 'group' end as source,
          case when stored.is_forced then 1 else 3 end as tier,
          reached.distance, 0 as configuration_id, null::uuid as package_id
        from reached
          join group_variables stored on stored.group_id = reached.group_id and ${hasBegun('stored')}
          join variables using (variable_id)
        union all
        select reached.owner_id, stored.variable_id, stored.value, null, stored.schedule, reached.group_id,
          'configuration', 3, reached.distance, stored.configuration_id, null
        from reached
          join group_variable_configurations assignment on assignment.group_id = reached.group_id
          join variable_configuration_values stored
            on stored.configuration_id = assignment.configuration_id and ${hasBegun('stored')}
          join variables using (variable_id)
        ${owner === 'computer' ? sql`union all ${computerCandidates('owners', 'variables', 'reached')}` : sql``}
        union all
        select owners.owner_id, definition.id, definition.default_value, null, null, null, 'default', 5, 0, 0, null
        from owners cross join variables
          join variable_definitions definition on definition.id = variables.variable_id
        where definition.default_value is not null
      )`
}

/** Whether the time has come from which a stored value, given by its alias, counts. */
function hasBegun(stored: string): RawBuilder<boolean> {
  const from = sql.ref(`${stored}.effective_from`)
  return sql<boolean>`(${from} is null or ${from} <= now())`
}

/** A value that applies to the owner; the smallest tier and distance win. */
type Candidate = EffectiveValue & {
  tier: number
  distance: number
  configuration_id: number
  package_id: string | null
}

export type VariableCandidate = Candidate & {
  group_path: string | null
  depth: number | null
  in_assignment_tree: boolean | null
  place: number
}

type ReachedGroup = { owner_id: number | string; group_id: string; distance: number }

/**
 * A pending reinstall puts the computer into a Reinstall group below the group that assigns the package. That membership
 * does not count: it would bring the values of the groups above nearer.
 */
export function groupsOfComputers(owners: string): RawBuilder<ReachedGroup> {
  return sql`
    select owner.owner_id, above.ancestor_id as group_id, above.distance
    from ${sql.table(owners)} owner
      join effective_memberships member on member.computer_id = owner.owner_id
      join group_ancestors above on above.descendant_id = member.group_id`
}

function groupsOfGroups(owners: string): RawBuilder<ReachedGroup> {
  return sql`
    select owner.owner_id, above.ancestor_id as group_id, above.distance
    from ${sql.table(owners)} owner
      join group_ancestors above on above.descendant_id = owner.owner_id`
}

/** The candidates that only computers have: their own values and the defaults of packages. */
function computerCandidates(owners: string, variables: string, reached: string): RawBuilder<Candidate> {
  return sql`
    select stored.computer_id, stored.variable_id, stored.value, stored.sealed_value, stored.schedule, null,
      'computer', 2, 0, 0, null
    from ${sql.table(owners)} owner
      join computer_variables stored on stored.computer_id = owner.owner_id and ${hasBegun('stored')}
      join ${sql.table(variables)} variable using (variable_id)
    union all
    select owner_id, variable_id, value, null, null, group_id, 'package', 4, distance, 0, package_id
    from (${packageDefaults(variables, reached)}) as defaults`
}
