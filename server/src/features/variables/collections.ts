import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Call } from '../../platform/operation.ts'
import { problem } from '../../platform/problem.ts'
import { invalidPart } from '../../platform/validation.ts'
import { variableNotFound } from './definitions.ts'
import { toStoredValue } from './set-variable-value.ts'
import { pinVariableOwner, type VariableOwner } from './variable-owner.ts'
import { visibleValue } from './visible-value.ts'

export const collectionEntryNotFound = problem(
  'CollectionEntryNotFound',
  404,
  'The collection of this computer or group has no entry with this id.',
)

type WriteCall = Pick<Call, 'db' | 'services' | 'conceal'>

/** Values by the designation of the child variable. */
export type EntryValues = Record<string, string>

type EntryValue = {
  varId: number
  designation: string
  dottedName: string
  value: string | null
  schedule: string | null
  isSecret: boolean
}

type Child = { id: number; designation: string; default_value: string | null; is_secret: boolean }

/** The owner's own entries with the properties of the API. Each has one value per child of the collection. */
export function collectionEntries(db: Database, owner: VariableOwner, varId: number) {
  return ownEntries(db, owner, varId).select([
    'entry.id as collectionId',
    sql<EntryValue[]>`(
      select coalesce(jsonb_agg(jsonb_build_object(
        'varId', child.id, 'designation', child.designation, 'dottedName', child.dotted_name,
        'value', ${visibleValue('child', 'stored')}, 'schedule', null, 'isSecret', child.is_secret)
        order by child.id), '[]')
      from variable_definitions child
        left join variable_collection_values stored on stored.entry_id = entry.id and stored.variable_id = child.id
      where child.parent_id = entry.variable_id and child.kind = 'Scalar')`.as('values'),
  ])
}

export async function createCollectionEntry(call: WriteCall, owner: VariableOwner, varId: number, values: EntryValues) {
  const { db } = call
  await pinVariableOwner(db, owner)
  const children = await lockChildren(db, varId)
  const stored = prepareValues(call, children, values)
  for (const child of children) {
    if (stored.has(child.id)) continue
    if (child.default_value === null) throw invalidPart('body', `values.${child.designation}`, 'is required')
    stored.set(child.id, toStoredValue(call.services.keys, child.is_secret, child.default_value))
  }
  const { id } = await db
    .insertInto('variable_collection_entries')
    .values({ variable_id: varId, [owner.kind === 'computer' ? 'computer_id' : 'group_id']: owner.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storeValues(db, id, stored)
  return getEntry(db, owner, varId, id)
}

export async function updateCollectionEntry(
  call: WriteCall,
  owner: VariableOwner,
  varId: number,
  collectionId: number,
  values: EntryValues,
) {
  const { db } = call
  await pinVariableOwner(db, owner)
  const children = await lockChildren(db, varId)
  await lockEntry(db, owner, varId, collectionId)
  await storeValues(db, collectionId, prepareValues(call, children, values))
  return getEntry(db, owner, varId, collectionId)
}

export async function deleteCollectionEntry(
  db: Database,
  owner: VariableOwner,
  varId: number,
  collectionId: number,
): Promise<void> {
  await pinVariableOwner(db, owner)
  await lockChildren(db, varId)
  await lockEntry(db, owner, varId, collectionId)
  await db.deleteFrom('variable_collection_entries').where('id', '=', collectionId).execute()
}

function ownEntries(db: Database, owner: VariableOwner, varId: number) {
  const entries = db.selectFrom('variable_collection_entries as entry').where('entry.variable_id', '=', varId)
  return owner.kind === 'computer'
    ? entries.where('entry.computer_id', '=', owner.id)
    : entries.where('entry.group_id', '=', owner.id)
}

async function getEntry(db: Database, owner: VariableOwner, varId: number, collectionId: number) {
  return collectionEntries(db, owner, varId).where('entry.id', '=', collectionId).executeTakeFirstOrThrow()
}

async function lockEntry(db: Database, owner: VariableOwner, varId: number, collectionId: number): Promise<void> {
  const found = await ownEntries(db, owner, varId)
    .select('entry.id')
    .where('entry.id', '=', collectionId)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw collectionEntryNotFound({ collectionId })
}

/** Returns the children of the collection and keeps them from being changed or deleted until the transaction ends. */
async function lockChildren(db: Database, varId: number): Promise<Child[]> {
  const found = await db
    .selectFrom('variable_definitions')
    .select(['id', 'parent_id', 'kind', 'designation', 'default_value', 'is_secret'])
    .where(({ eb, or }) => or([eb('id', '=', varId), eb('parent_id', '=', varId)]))
    .orderBy('id')
    .forShare()
    .execute()
  const collection = found.find(({ id }) => id === varId)
  if (!collection) throw variableNotFound({ varId })
  if (collection.kind !== 'Collection') throw invalidPart('path', 'varId', 'must be a collection variable')
  return found.filter(({ parent_id, kind }) => parent_id === varId && kind === 'Scalar')
}

/** Returns the values to store, by the id of the child. Keeps secret values out of the audit trail. */
function prepareValues({ services, conceal }: WriteCall, children: Child[], values: EntryValues) {
  const prepared = new Map<number, ReturnType<typeof toStoredValue>>()
  for (const [key, value] of Object.entries(values)) {
    const child = findChild(children, key)
    if (!child) throw invalidPart('body', `values.${key}`, 'is not a child of the collection')
    if (prepared.has(child.id))
      throw invalidPart('body', `values.${key}`, 'names a child that another property already names')
    if (child.is_secret) conceal('values', key)
    prepared.set(child.id, toStoredValue(services.keys, child.is_secret, value))
  }
  return prepared
}

/** Ignores case, but prefers the exact designation because children may differ only in case. */
function findChild(children: Child[], key: string): Child | undefined {
  const name = key.toLowerCase()
  return (
    children.find(({ designation }) => designation === key) ??
    children.find(({ designation }) => designation.toLowerCase() === name)
  )
}

async function storeValues(
  db: Database,
  entryId: number,
  values: Map<number, ReturnType<typeof toStoredValue>>,
): Promise<void> {
  if (values.size === 0) return
  await db
    .insertInto('variable_collection_values')
    .values([...values].map(([variableId, stored]) => ({ entry_id: entryId, variable_id: variableId, ...stored })))
    .onConflict((conflict) =>
      conflict.columns(['entry_id', 'variable_id']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        sealed_value: eb.ref('excluded.sealed_value'),
      })),
    )
    .execute()
}
