import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Call } from '../../platform/operation.ts'
import { problem } from '../../platform/problem.ts'
import { invalidPart } from '../../platform/validation.ts'
import { variableNotFound } from './definitions.ts'
import { storedContent } from './set-variable-value.ts'
import { pinVariableOwner, type VariableOwner } from './variable-owner.ts'

export const collectionEntryNotFound = problem(
  'CollectionEntryNotFound',
  404,
  'The collection has no entry with this id here.',
)

type ChangeCall = Pick<Call, 'db' | 'services' | 'conceal'>

/** Child designation to value. */
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

/** The owner's own entries as the API shows them, each with one value for every child of the collection. */
export function collectionEntries(db: Database, owner: VariableOwner, varId: number) {
  return ownEntries(db, owner, varId).select([
    'entry.id as collectionId',
    sql<EntryValue[]>`(
      select coalesce(jsonb_agg(jsonb_build_object(
        'varId', child.id, 'designation', child.designation, 'dottedName', child.dotted_name,
        'value', case when not child.is_secret then held.value end, 'schedule', null, 'isSecret', child.is_secret)
        order by child.id), '[]')
      from variable_definitions child
        left join variable_collection_values held on held.entry_id = entry.id and held.variable_id = child.id
      where child.parent_id = entry.variable_id and child.kind = 'Scalar')`.as('values'),
  ])
}

export async function createCollectionEntry(
  call: ChangeCall,
  owner: VariableOwner,
  varId: number,
  values: EntryValues,
) {
  const { db } = call
  await pinVariableOwner(db, owner)
  const children = await lockChildren(db, varId)
  const given = contentOf(call, children, values)
  for (const child of children) {
    if (given.has(child.id)) continue
    if (child.default_value === null) throw invalidPart('body', `values.${child.designation}`, 'is required')
    given.set(child.id, storedContent(call.services.keys, child.is_secret, child.default_value))
  }
  const { id } = await db
    .insertInto('variable_collection_entries')
    .values({ variable_id: varId, [owner.kind === 'computer' ? 'computer_id' : 'group_id']: owner.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storeValues(db, id, given)
  return entryById(db, owner, varId, id)
}

export async function updateCollectionEntry(
  call: ChangeCall,
  owner: VariableOwner,
  varId: number,
  collectionId: number,
  values: EntryValues,
) {
  const { db } = call
  await pinVariableOwner(db, owner)
  const children = await lockChildren(db, varId)
  await lockEntry(db, owner, varId, collectionId)
  await storeValues(db, collectionId, contentOf(call, children, values))
  return entryById(db, owner, varId, collectionId)
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

async function entryById(db: Database, owner: VariableOwner, varId: number, collectionId: number) {
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

/** The children of the collection, which stay as they are until the transaction ends. */
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

/** What is to be stored, by child. Secrets among it are kept out of the audit trail. */
function contentOf({ services, conceal }: ChangeCall, children: Child[], values: EntryValues) {
  const content = new Map<number, ReturnType<typeof storedContent>>()
  for (const [key, value] of Object.entries(values)) {
    const child = childNamed(children, key)
    if (!child) throw invalidPart('body', `values.${key}`, 'is no child of the collection')
    if (content.has(child.id)) throw invalidPart('body', `values.${key}`, 'names a child twice')
    if (child.is_secret) conceal('values', key)
    content.set(child.id, storedContent(services.keys, child.is_secret, value))
  }
  return content
}

/** Case does not matter, unless children differ in nothing else. */
function childNamed(children: Child[], key: string): Child | undefined {
  const name = key.toLowerCase()
  return (
    children.find(({ designation }) => designation === key) ??
    children.find(({ designation }) => designation.toLowerCase() === name)
  )
}

async function storeValues(
  db: Database,
  entryId: number,
  content: Map<number, ReturnType<typeof storedContent>>,
): Promise<void> {
  if (content.size === 0) return
  await db
    .insertInto('variable_collection_values')
    .values([...content].map(([variableId, stored]) => ({ entry_id: entryId, variable_id: variableId, ...stored })))
    .onConflict((conflict) =>
      conflict.columns(['entry_id', 'variable_id']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        sealed_value: eb.ref('excluded.sealed_value'),
      })),
    )
    .execute()
}
