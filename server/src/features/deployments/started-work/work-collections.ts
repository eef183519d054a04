import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'
import { effectiveEntries } from '../../variable-resolution/effective-entries.ts'
import {
  forEachComputer,
  isRequestedSecret,
  type RequestedValues,
  toRequestedValues,
  type ValueRequest,
  valuesOf,
} from './requested-values.ts'
import { revealValues } from './reveal-values.ts'

/** Entries by the dotted name of the collection; each has values by the designation of the child. */
export type WorkCollections = Record<string, Record<string, string>[]>

type Row = {
  owner_id: number
  collection: string
  entry_id: number
  /** Null if the entry has no value for the reader. */
  designation: string | null
  dotted_name: string | null
  is_secret: boolean | null
  value: string | null
  sealed_value: Buffer | null
}

type LoadedCollections = {
  collections: WorkCollections
  /** Values by names such as `Printers.1.Host`, for commands that read them from their environment. */
  variables: Record<string, string>
  /** Values of requested secret children, by names such as `Printers.1.Password`. */
  secrets: Record<string, string>
}

/** Operating systems limit the environment of a process. A collection with more text is not part of it. */
const maxTextInEnvironment = 32_768

const effectiveRows = preparedStatement((db, requested: RequestedValues) =>
  sql<Row>`
    select entry.owner_id, collection.dotted_name as collection, entry.entry_id, child.designation, child.dotted_name,
      child.is_secret, stored.value, stored.sealed_value
    from ${forEachComputer(requested, effectiveEntries)} as entry
      join variable_definitions collection on collection.id = entry.variable_id
      left join (
        variable_collection_values stored join variable_definitions child on child.id = stored.variable_id
          and (not child.is_secret or ${isRequestedSecret('child', requested)})
      ) on stored.entry_id = entry.entry_id
    order by collection.dotted_name, entry.entry_id, child.id`.compile(db),
)

/**
 * Reads the effective collections of computers: all values that are not secret, and the secret ones that are requested.
 * Entries are in the order of their ids.
 */
export async function loadWorkCollections(
  db: Database,
  keys: ServerKeys,
  requests: readonly ValueRequest[],
): Promise<LoadedCollections[]> {
  const rows = await effectiveRows(db, toRequestedValues(requests))
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id)
  return Promise.all(
    requests.map(async (request) =>
      toCollections(await revealValues(keys, valuesOf(byOwner.get(request.clientId), request))),
    ),
  )
}

function toCollections(rows: readonly (Row & { text: string })[]): LoadedCollections {
  const toValues = (entry: readonly (Row & { text: string })[], isSecret: boolean) =>
    Object.fromEntries(
      entry.flatMap((row) =>
        row.designation !== null && row.is_secret === isSecret ? [[row.designation, row.text]] : [],
      ),
    )
  const loaded: LoadedCollections = { collections: {}, variables: {}, secrets: {} }
  for (const [collection, ofCollection] of Map.groupBy(rows, (row) => row.collection)) {
    const entries = [...Map.groupBy(ofCollection, (row) => row.entry_id).values()]
    const readable = entries.map((entry) => toValues(entry, false))
    loaded.collections[collection] = readable
    Object.assign(loaded.variables, toVariables(collection, readable))
    Object.assign(
      loaded.secrets,
      numberValues(
        collection,
        entries.map((entry) => toValues(entry, true)),
      ),
    )
  }
  return loaded
}

function toVariables(collection: string, entries: readonly Record<string, string>[]): Record<string, string> {
  const numbered = numberValues(collection, entries)
  const length = Object.entries(numbered).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return { ...(length <= maxTextInEnvironment && numbered), [`${collection}.Count`]: String(entries.length) }
}

/** Entries are numbered from 1. */
function numberValues(collection: string, entries: readonly Record<string, string>[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((values, index) =>
      Object.entries(values).map(([designation, value]) => [`${collection}.${index + 1}.${designation}`, value]),
    ),
  )
}
