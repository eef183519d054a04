import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { variableKinds } from './api/definitions/schemas.ts'

/** Definitions with the properties of the API. */
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
