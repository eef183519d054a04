import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { invalidPart } from '../../platform/validation.ts'

export const variableNotFound = problem('VariableNotFound', 404, 'No variable definition has this id.')

/**
 * Of `variable_definitions as definition`: has one value for each owner. A child of a collection has one for each entry
 * instead.
 */
export const hasOneValue = sql<boolean>`(
  definition.kind = 'Scalar' and not exists (
    select from variable_definitions parent where parent.id = definition.parent_id and parent.kind = 'Collection'))`

/** Of `variable_definitions as definition`: has this designation or dotted name. */
export const isCalled = (name: string) => sql<boolean>`
  lower(${name}) in (lower(definition.designation), lower(definition.dotted_name))`

export type ScalarVariable = { id: number; is_secret: boolean }

/** For changes: the definition stays as it is until the transaction ends. */
export async function pinScalarVariable(db: Database, varId: number): Promise<ScalarVariable> {
  const found = await db
    .selectFrom('variable_definitions as definition')
    .select(['definition.id', 'definition.is_secret', hasOneValue.as('has_one_value')])
    .where('definition.id', '=', varId)
    .forShare()
    .executeTakeFirst()
  if (!found) throw variableNotFound({ varId })
  if (!found.has_one_value)
    throw invalidPart(
      'path',
      'varId',
      'must not be a category, a collection, a child of one or a user-defined variable',
    )
  return found
}

export async function requireVariable(db: Database, varId: number): Promise<void> {
  await kindOf(db, varId)
}

export async function requireCollection(db: Database, varId: number): Promise<void> {
  if ((await kindOf(db, varId)) !== 'Collection') throw invalidPart('path', 'varId', 'must be a collection variable')
}

async function kindOf(db: Database, varId: number): Promise<string> {
  const found = await db.selectFrom('variable_definitions').select('kind').where('id', '=', varId).executeTakeFirst()
  if (!found) throw variableNotFound({ varId })
  return found.kind
}
