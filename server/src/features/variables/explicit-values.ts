import { type RawBuilder, sql } from 'kysely'

export type ExplicitValue = {
  owner_id: number
  value: string | null
  schedule: string | null
  is_forced: boolean
  /** 0 for a value that is not part of a collection. */
  entry_id: number
}

/**
 * Every value of the variable that is set on a computer or on a group itself. For a scalar, that is one row per owner; for a
 * collection, one row without a value per entry; for a child of a collection, one row per entry.
 */
export function explicitValues(
  owner: 'computer' | 'group',
  varId: number | RawBuilder<unknown>,
): RawBuilder<ExplicitValue> {
  const ownerId = sql.ref(`${owner}_id`)
  const isForced = owner === 'group' ? sql<boolean>`is_forced` : sql<boolean>`false`
  return sql<ExplicitValue>`(
    select ${ownerId} as owner_id, value, schedule, ${isForced} as is_forced, 0 as entry_id
    from ${sql.table(`${owner}_variables`)} where variable_id = ${varId}
    union all
    select ${ownerId}, null, null, false, id
    from variable_collection_entries where variable_id = ${varId} and ${ownerId} is not null
    union all
    select entry.${ownerId}, stored.value, null, false, entry.id
    from variable_collection_values stored join variable_collection_entries entry on entry.id = stored.entry_id
    where stored.variable_id = ${varId} and entry.${ownerId} is not null)`
}
