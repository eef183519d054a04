import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveVariables, type OwnerKind, type ValueSource } from '../variable-resolution/effective-variables.ts'
import { hasOneValue, hasVariableName } from './definitions.ts'
import type { VariableOwner } from './variable-owner.ts'
import { visibleValue } from './visible-value.ts'

export type ValueFilter = { name?: string | null; varId?: number | null; includeInherited?: boolean }

type OwnerValue = {
  variable_id: number
  value: string | null
  schedule: string | null
  source: ValueSource
  group_id: string | null
}

/**
 * Values with the properties of the API: the owner's own values or, with `includeInherited`, its effective values.
 * Variables without a value are included, with null, if the filter names a variable or includes inherited values. The
 * value of a secret is always null.
 */
export function variableValues(db: Database, owner: VariableOwner, filter: ValueFilter = {}) {
  const { name, varId, includeInherited } = filter
  const isNamed = typeof name === 'string' || typeof varId === 'number'
  const definitions = db
    .selectFrom('variable_definitions as definition')
    .where(hasOneValue('definition'))
    .$if(typeof name === 'string', (query) => query.where(hasVariableName('definition', name ?? '')))
    .$if(typeof varId === 'number', (query) => query.where('definition.id', '=', varId ?? 0))
  const ownerId = owner.kind === 'computer' ? sql`${owner.id}::integer` : sql`${owner.id}::uuid`
  const effective = effectiveVariables(
    owner.kind,
    sql`select ${ownerId} as owner_id`,
    sql`${definitions.select('definition.id as variable_id')}`,
  )
  const values = includeInherited ? sql`(${effective})` : ownValues[owner.kind]
  // There is one owner, so `distinct` removes nothing. It proves to the planner that the join adds no rows. When
  // rows are only counted, the planner then drops the join.
  const ownerValue = sql<OwnerValue>`(
    select distinct on (variable_id) variable_id, value, schedule, source, group_id
    from ${values} as selected where owner_id = ${ownerId} order by variable_id)`
  return definitions
    .leftJoin(ownerValue.as('owner_value'), 'owner_value.variable_id', 'definition.id')
    .$if(!isNamed && !includeInherited, (query) => query.where('owner_value.variable_id', 'is not', null))
    .select([
      'definition.id as varId',
      'definition.designation',
      'definition.dotted_name as dottedName',
      visibleValue('definition', 'owner_value').as('value'),
      'owner_value.schedule',
      'definition.is_secret as isSecret',
      sql<boolean>`coalesce(owner_value.source = 'forced', false)`.as('forced'),
      'owner_value.source',
      'owner_value.group_id as sourceGroupId',
      sql<string | null>`(select path from groups where id = owner_value.group_id)`.as('sourceGroupPath'),
    ])
}

const ownValues: Record<OwnerKind, RawBuilder<OwnerValue & { owner_id: number | string }>> = {
  computer: sql`(
    select computer_id as owner_id, variable_id, value, schedule, 'computer' as source, null::uuid as group_id
    from computer_variables)`,
  group: sql`(
    select group_id as owner_id, variable_id, value, schedule,
      case when is_forced then 'forced' else 'group' end as source, group_id
    from group_variables)`,
}
