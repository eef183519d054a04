import type { Database } from '../../database/connect.ts'
import type { Call } from '../../platform/operation.ts'
import { invalidPart } from '../../platform/validation.ts'
import { lockScalarVariable } from './definitions.ts'
import { findScheduleFault } from './schedule-fault.ts'
import { pinVariableOwner, type VariableOwner } from './variable-owner.ts'
import { variableValues } from './variable-values.ts'

export type NewValue = { value?: string | null; schedule?: string | null; forced?: boolean }

type StoredValue = { value: string | null; sealed_value: Buffer | null }

/** A value is stored as text, or sealed if its variable is secret. */
export function toStoredValue(keys: Call['services']['keys'], isSecret: boolean, value: string): StoredValue {
  return isSecret ? { value: null, sealed_value: keys.sealValue(value) } : { value, sealed_value: null }
}

/** Stores the owner's value, or deletes it if `value` is not a text. A missing schedule or forced flag is kept. */
export async function setVariableValue(
  { db, services, conceal }: Pick<Call, 'db' | 'services' | 'conceal'>,
  owner: VariableOwner,
  varId: number,
  { value, schedule, forced }: NewValue,
) {
  const fault = findScheduleFault(schedule)
  if (fault) throw invalidPart('body', 'schedule', fault)
  await pinVariableOwner(db, owner)
  const variable = await lockScalarVariable(db, varId)
  if (variable.is_secret) conceal('value')
  if (typeof value !== 'string') await deleteValue(db, owner, varId)
  else {
    const stored = toStoredValue(services.keys, variable.is_secret, value)
    if (owner.kind === 'computer') await storeForComputer(db, owner.id, varId, stored, schedule)
    else await storeForGroup(db, owner.id, varId, stored, schedule, forced)
  }
  return variableValues(db, owner, { varId }).executeTakeFirstOrThrow()
}

async function deleteValue(db: Database, owner: VariableOwner, varId: number): Promise<void> {
  if (owner.kind === 'computer')
    await db
      .deleteFrom('computer_variables')
      .where('computer_id', '=', owner.id)
      .where('variable_id', '=', varId)
      .execute()
  else
    await db.deleteFrom('group_variables').where('group_id', '=', owner.id).where('variable_id', '=', varId).execute()
}

async function storeForComputer(
  db: Database,
  computerId: number,
  varId: number,
  stored: StoredValue,
  schedule: string | null | undefined,
): Promise<void> {
  await db
    .insertInto('computer_variables')
    .values({ computer_id: computerId, variable_id: varId, ...stored, schedule: schedule ?? null })
    .onConflict((conflict) =>
      conflict
        .columns(['computer_id', 'variable_id'])
        .doUpdateSet({ ...stored, ...(schedule !== undefined && { schedule }) }),
    )
    .execute()
}

async function storeForGroup(
  db: Database,
  groupId: string,
  varId: number,
  stored: StoredValue,
  schedule: string | null | undefined,
  forced: boolean | undefined,
): Promise<void> {
  await db
    .insertInto('group_variables')
    .values({
      group_id: groupId,
      variable_id: varId,
      ...stored,
      schedule: schedule ?? null,
      is_forced: forced ?? false,
    })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'variable_id']).doUpdateSet({
        ...stored,
        ...(schedule !== undefined && { schedule }),
        ...(forced !== undefined && { is_forced: forced }),
      }),
    )
    .execute()
}
