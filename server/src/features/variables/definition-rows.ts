import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { variableKinds } from './api/definitions/schemas.ts'

/** Definitions as the API shows them. */
export function definitionRows(db: Database) {
  return db
    .selectFrom('variable_definitions as definition')
    .select([
      'definition.id as varId',
      'definition.parent_id as parentId',
      'definition.designation',
      'definition.dotted_name as dottedName',
      sql<(typeof variableKinds)[number]>`definition.kind`.as('kind'),
      'definition.description',
      'definition.default_value as defaultValue',
      'definition.is_secret as isSecret',
      'definition.is_system as isSystem',
    ])
}

/** What may be shown of the value `given` for the variable `definition`. */
export const shownValue = sql<string | null>`case when not definition.is_secret then given.value end`

export type ExplicitValue = {
  owner_id: number
  value: string | null
  schedule: string | null
  is_forced: boolean
  /** 0 for a value outside of collections. */
  entry_id: number
}

/**
 * Every value that somebody gave the variable on a computer or group: of a scalar, of each entry of a collection (which
 * has no value of its own) or of a child in each entry.
 */
export function explicitValues(owner: 'computer' | 'group', varId: number): RawBuilder<ExplicitValue> {
  const ownerId = sql.ref(`${owner}_id`)
  const isForced = owner === 'group' ? sql`is_forced` : sql`false`
  return sql<ExplicitValue>`(
    select ${ownerId} as owner_id, value, schedule, ${isForced} as is_forced, 0 as entry_id
    from ${sql.table(`${owner}_variables`)} where variable_id = ${varId}
    union all
    select ${ownerId}, null, null, false, id
    from variable_collection_entries where variable_id = ${varId} and ${ownerId} is not null
    union all
    select entry.${ownerId}, held.value, null, false, entry.id
    from variable_collection_values held join variable_collection_entries entry on entry.id = held.entry_id
    where held.variable_id = ${varId} and entry.${ownerId} is not null)`
}
