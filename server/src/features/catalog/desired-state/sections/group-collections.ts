import { secretReferenceOf } from '@muster/desired-state/secret-names'
import { sql } from 'kysely'
import type { PartRequest } from '../../../../platform/steps.ts'
import type { DesiredGroup, DesiredState } from '../../api/desired-state/document-schemas.ts'
import { compareTexts } from '../compare-state.ts'
import { groupEntry, groupReference, ofGroup, requireDifferent } from '../group-entries.ts'
import type { ChangeContext, StateChange, StateObject, StateSection } from '../state-section.ts'
import { type DefinedVariable, listDefinedVariables, listExposedSecrets } from '../variable-definitions.ts'
import { variableReference } from './group-variables.ts'

/** Values by the name of the column. A secret is an object, with its reference if it comes from the document. */
type Entry = NonNullable<DesiredGroup['collections']>[number]['entries'][number]

type StoredEntry = { id: number | undefined; values: Entry }

type Details = { path: string; variable: string; entries: StoredEntry[]; blockers: string[] }

/**
 * The entries of collections on groups. Entries have no names: they are compared as a set of values, without those of secret
 * columns.
 */
export const groupCollectionsSection: StateSection = {
  name: 'groupCollections',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<{ path: string; variable: string; entries: { id: number; values: Entry }[] }>`
      select own.path, definition.dotted_name as variable, jsonb_agg(jsonb_build_object('id', entry.id, 'values', (
          select coalesce(jsonb_object_agg(col.designation, case when col.is_secret
            then jsonb_build_object('secret', '') else to_jsonb(stored.value) end), '{}')
          from variable_collection_values stored join variable_definitions col on col.id = stored.variable_id
          where stored.entry_id = entry.id)) order by entry.id) as entries
      from variable_collection_entries entry
        join permanent_groups own on own.id = entry.group_id
        join variable_definitions definition on definition.id = entry.variable_id
      group by own.path, definition.dotted_name
      order by lower(own.path), lower(definition.dotted_name)`.execute(db)
    return rows.map(({ path, variable, entries }) => toObject(path, variable, entries))
  },
  readDocument(document, { current }) {
    const defined = listDefinedVariables(document, current)
    const defaultsOf = columnDefaults(document, defined)
    const objects = document.groups?.flatMap(({ path, collections = [] }) =>
      collections.map(({ variable, entries }) => {
        const defaults = defaultsOf(variable)
        return toObject(
          path,
          variable,
          entries.map((values) => ({ id: undefined, values: { ...defaults, ...values } })),
          listExposedSecrets(listSecretColumns(variable, entries), defined),
        )
      }),
    )
    return objects && requireDifferent('groups', objects)
  },
  writeDocument(objects, document) {
    for (const { details } of objects) {
      const { path, variable, entries } = details as Details
      const group = groupEntry(document, path)
      group.collections ??= []
      group.collections.push({
        variable,
        entries: entries.map(({ values }, at) => withReferences(values, path, variable, at)),
      })
    }
  },
  blockersOf: ({ after }) => (after?.details as Details | undefined)?.blockers ?? [],
  toRequests: (changes, context) => changes.flatMap((change) => toRequests(change, context)),
}

function toObject(path: string, variable: string, entries: StoredEntry[], blockers: string[] = []): StateObject {
  const sorted = entries
    .map((entry) => ({ entry, text: visibleText(entry) }))
    .sort((a, b) => compareTexts(a.text, b.text))
  const secrets = entries.flatMap(({ values }) => Object.values(values).flatMap((value) => secretIn(value) || []))
  return {
    key: ofGroup(path, variable),
    name: `${path} ← ${variable}`,
    fields: { entries: sorted.map(({ text }) => text) },
    groups: [path],
    needs: [groupReference(path), variableReference(variable)],
    ...(secrets.length > 0 && { secrets }),
    details: { path, variable, entries: sorted.map(({ entry }) => entry), blockers } satisfies Details,
  }
}

const secretIn = (value: Entry[string]) => (typeof value === 'string' ? undefined : value.secret)

/** The dotted names of the columns for which the entries name secrets. */
function listSecretColumns(variable: string, entries: readonly Entry[]): string[] {
  const columns = entries.flatMap((values) =>
    Object.keys(values).filter((column) => typeof values[column] !== 'string'),
  )
  return [...new Set(columns)].map((column) => `${variable}.${column}`)
}

/** The values of an entry as a text, in the order of its columns and without secrets. */
function visibleText({ values }: StoredEntry): string {
  const visible = Object.entries(values).filter(([, value]) => typeof value === 'string')
  return JSON.stringify(Object.fromEntries(visible.sort(([a], [b]) => compareTexts(a, b))))
}

function withReferences(values: Entry, path: string, variable: string, at: number): Entry {
  const columns = Object.entries(values).sort(([a], [b]) => compareTexts(a, b))
  return Object.fromEntries(
    columns.map(([column, value]) => [
      column,
      typeof value === 'string' ? value : { secret: secretReferenceOf(path, `${variable}.${column}`, String(at)) },
    ]),
  )
}

/** Columns that an entry leaves out get their defaults. */
function columnDefaults(
  document: DesiredState,
  defined: ReadonlyMap<string, DefinedVariable>,
): (variable: string) => Entry {
  const collections = new Set(
    document.groups?.flatMap((group) => (group.collections ?? []).map(({ variable }) => variable.toLowerCase())),
  )
  const defaults = new Map<string, [column: string, value: string][]>()
  for (const { name, default: value } of defined.values()) {
    if (value === null) continue
    // A column can have dots in its name, so each dot may end the name of its collection.
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      const collection = name.slice(0, at).toLowerCase()
      if (collections.has(collection)) appendTo(defaults, collection, [name.slice(at + 1), value])
    }
  }
  return (variable) => Object.fromEntries(defaults.get(variable.toLowerCase()) ?? [])
}

function appendTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Deletes the entries that the document does not have, and creates those that the group does not have. */
function toRequests({ object, before, after }: StateChange, { idOf, secretOf }: ChangeContext): PartRequest[] {
  const { path, variable } = object.details as Details
  const params = { id: idOf('groups', path.toLowerCase()), varId: idOf('variableDefinitions', variable.toLowerCase()) }
  const present = Map.groupBy((before?.details as Details | undefined)?.entries ?? [], visibleText)
  const missing = ((after?.details as Details | undefined)?.entries ?? []).filter(
    (entry) => present.get(visibleText(entry))?.shift() === undefined,
  )
  const surplus = [...present.values()].flat()
  const toValues = (values: Entry) =>
    Object.fromEntries(
      Object.entries(values).map(([column, value]) => [
        column,
        typeof value === 'string' ? value : secretOf(value.secret),
      ]),
    )
  return [
    ...surplus.map(({ id }) => ({ operation: 'deleteGroupCollectionEntry', params: { ...params, collectionId: id } })),
    ...missing.map(({ values }) => ({
      operation: 'createGroupCollectionEntry',
      params,
      body: { values: toValues(values) },
    })),
  ]
}
