import { secretReferenceOf } from './secret-names.ts'
import type { StateDocument } from './state-files.ts'

/** A reference in a document, with the reference that an export writes for it. */
type Place = { object: Record<string, unknown>; reference: string; exported: string }

/** The references of a document. They are in variables and in entries of collections only: nothing else is read. */
export const listReferences = (document: StateDocument): string[] =>
  listPlaces(document).map(({ reference }) => reference)

/**
 * The document with references that this command has made. References choose what a later apply reads on this computer and
 * sends, so those of the service are not written into files.
 */
export function replaceReferences(document: StateDocument): StateDocument {
  const copy = structuredClone(document)
  for (const { object, exported } of listPlaces(copy)) object.secret = exported
  return copy
}

function listPlaces({ groups }: StateDocument): Place[] {
  return objectsIn(groups).flatMap(({ path, variables, collections }) => [
    ...objectsIn(variables).flatMap((object) => toPlace(object, path, object.variable)),
    ...objectsIn(collections).flatMap(({ variable, entries }) =>
      objectsIn(entries).flatMap((entry, at) =>
        Object.entries(entry).flatMap(([column, value]) =>
          isObject(value) ? toPlace(value, path, `${variable}.${column}`, String(at)) : [],
        ),
      ),
    ),
  ])
}

function toPlace(object: Record<string, unknown>, path: unknown, variable: unknown, place?: string): Place[] {
  const { secret: reference } = object
  if (typeof reference !== 'string') return []
  return [{ object, reference, exported: secretReferenceOf(String(path), String(variable), place) }]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isObject) : [])
