import { isDeepStrictEqual } from 'node:util'
import type { CatalogObject, CatalogState } from './catalog-state.ts'
import type { WantedCatalog } from './parse-catalog.ts'

export type Difference<T> = {
  added: T[]
  changed: { before: T; after: T; fields: string[] }[]
  removed: T[]
}

export type Differences = { [S in keyof CatalogState]: Difference<CatalogState[S][number]> }

/** What has to be done so that the current catalog says what the wanted one says. */
export function compareCatalogs(
  current: CatalogState & { systemKeys: ReadonlySet<string> },
  wanted: WantedCatalog,
  removeMissing: boolean,
): Differences {
  const definitions = compare(current.variableDefinitions, wanted.variableDefinitions, removeMissing)
  return {
    variableDefinitions: {
      ...definitions,
      removed: definitions.removed.filter(({ key }) => !current.systemKeys.has(key)),
    },
    variableConfigurations: compare(current.variableConfigurations, wanted.variableConfigurations, removeMissing),
    softwareClasses: compare(current.softwareClasses, wanted.softwareClasses, removeMissing),
    computerRoles: compare(current.computerRoles, wanted.computerRoles, removeMissing),
  }
}

function compare<T extends CatalogObject<object>>(
  current: T[],
  wanted: T[] | undefined,
  removeMissing: boolean,
): Difference<T> {
  if (!wanted) return { added: [], changed: [], removed: [] }
  const known = new Map(current.map((object) => [object.key, object]))
  const listed = new Set(wanted.map(({ key }) => key))
  return {
    added: wanted.filter(({ key }) => !known.has(key)),
    changed: wanted.flatMap((after) => {
      const before = known.get(after.key)
      const fields = before ? changedFields(before.fields, after.fields) : []
      return before && fields.length > 0 ? [{ before, after, fields }] : []
    }),
    removed: removeMissing ? current.filter(({ key }) => !listed.has(key)) : [],
  }
}

function changedFields(before: object, after: object): string[] {
  const old = before as Record<string, unknown>
  return Object.entries(after).flatMap(([field, value]) => (isDeepStrictEqual(old[field], value) ? [] : [field]))
}
