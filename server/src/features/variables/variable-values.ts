import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveVariables, type ValueSource } from '../variable-resolution/effective-variables.ts'
import { hasOneValue, isCalled } from './definitions.ts'
import type { VariableOwner } from './variable-owner.ts'

export type ValueFilter = { name?: string | null; varId?: number | null; includeInherited?: boolean }

type Held = {
  variable_id: number
  value: string | null
  schedule: string | null
  source: ValueSource
  group_id: string | null
}

/**
 * The values of the owner as the API shows them: its own ones, or those that hold for it. When the filter names a
 * variable, or with inheritance, also variables without a value are there, with null. Never the value of a secret.
 */
export function variableValues(db: Database, owner: VariableOwner, filter: ValueFilter = {}) {
  const { name, varId, includeInherited } = filter
  const isNamed = typeof name === 'string' || typeof varId === 'number'
  const matching = db
    .selectFrom('variable_definitions as definition')
    .where(hasOneValue)
    .$if(typeof name === 'string', (query) => query.where(isCalled(name ?? '')))
    .$if(typeof varId === 'number', (query) => query.where('definition.id', '=', varId ?? 0))
  const ownerId = owner.kind === 'computer' ? sql`${owner.id}::integer` : sql`${owner.id}::uuid`
  const effective = effectiveVariables(
    owner.kind,
    sql`select ${ownerId} as owner_id`,
    sql`${matching.select('definition.id as variable_id')}`,
  )
  const values: RawBuilder<unknown> = includeInherited ? sql`(${effective})` : ownValues[owner.kind]
  // There is only one owner anyway. But `distinct` shows PostgreSQL that the values add no rows, and so it leaves them
  // out where the rows are only counted.
  const held = sql<Held>`(
    select distinct on (variable_id) variable_id, value, schedule, source, group_id
    from ${values} as values_of_owner where owner_id = ${ownerId} order by variable_id)`
  return matching
    .leftJoin(held.as('held'), 'held.variable_id', 'definition.id')
    .$if(!isNamed && !includeInherited, (query) => query.where('held.variable_id', 'is not', null))
    .select([
      'definition.id as varId',
      'definition.designation',
      'definition.dotted_name as dottedName',
      sql<string | null>`case when not definition.is_secret then held.value end`.as('value'),
      'held.schedule',
      'definition.is_secret as isSecret',
      sql<boolean>`coalesce(held.source = 'forced', false)`.as('forced'),
      'held.source',
      'held.group_id as sourceGroupId',
    ])
}

const ownValues = {
  computer: sql`(
    select computer_id as owner_id, variable_id, value, schedule, 'computer' as source, null::uuid as group_id
    from computer_variables)`,
  group: sql`(
    select group_id as owner_id, variable_id, value, schedule,
      case when is_forced then 'forced' else 'group' end as source, group_id
    from group_variables)`,
}
