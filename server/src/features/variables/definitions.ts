import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { invalidPart } from '../../platform/validation.ts'

export const variableNotFound = problem('VariableNotFound', 404, 'No variable definition has this id.')

/**
 * Whether the variable has one value per owner. A child of a collection does not: it has one value per entry.
 * `definition` is the alias of `variable_definitions`.
 */
export function hasOneValue(definition: string): RawBuilder<boolean> {
  return sql<boolean>`(
    ${sql.ref(`${definition}.kind`)} = 'Scalar' and not exists (
      select from variable_definitions parent
      where parent.id = ${sql.ref(`${definition}.parent_id`)} and parent.kind = 'Collection'))`
}

/** Whether the variable has this designation or dotted name. `definition` is the alias of `variable_definitions`. */
export function hasVariableName(definition: string, name: string): RawBuilder<boolean> {
  return sql<boolean>`
    lower(${name}) in (lower(${sql.ref(`${definition}.designation`)}), lower(${sql.ref(`${definition}.dotted_name`)}))`
}

export type ScalarVariable = { id: number; is_secret: boolean }

/** Keeps the definition from being changed or deleted until the transaction ends. Throws unless it has one value. */
export async function lockScalarVariable(db: Database, varId: number): Promise<ScalarVariable> {
  const found = await db
    .selectFrom('variable_definitions as definition')
    .select(['definition.id', 'definition.is_secret', hasOneValue('definition').as('has_one_value')])
    .where('definition.id', '=', varId)
    .forShare()
    .executeTakeFirst()
  if (!found) throw variableNotFound({ varId })
  if (!found.has_one_value)
    throw invalidPart(
      'path',
      'varId',
      'must not be a category, a collection, a child of a collection or a user-defined variable',
    )
  return found
}

export async function requireVariable(db: Database, varId: number): Promise<void> {
  await requireKind(db, varId)
}

export async function requireCollection(db: Database, varId: number): Promise<void> {
  if ((await requireKind(db, varId)) !== 'Collection')
    throw invalidPart('path', 'varId', 'must be a collection variable')
}

async function requireKind(db: Database, varId: number): Promise<string> {
  const found = await db.selectFrom('variable_definitions').select('kind').where('id', '=', varId).executeTakeFirst()
  if (!found) throw variableNotFound({ varId })
  return found.kind
}
