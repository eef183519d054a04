import { isDeepStrictEqual } from 'node:util'
import type { CatalogObject, CatalogState } from './catalog-state.ts'
import type { ParsedCatalog } from './parse-catalog.ts'

export type SectionDifference<T> = {
  added: T[]
  changed: { before: T; after: T; fields: string[] }[]
  removed: T[]
}

export type CatalogDifferences = { [S in keyof CatalogState]: SectionDifference<CatalogState[S][number]> }

/** The changes that turn the current catalog into the one of the document. */
export function compareCatalogs(
  current: CatalogState & { systemKeys: ReadonlySet<string> },
  parsed: ParsedCatalog,
  removeMissing: boolean,
): CatalogDifferences {
  const definitions = compareSection(current.variableDefinitions, parsed.variableDefinitions, removeMissing)
  return {
    variableDefinitions: {
      ...definitions,
      removed: definitions.removed.filter(({ key }) => !current.systemKeys.has(key)),
    },
    variableConfigurations: compareSection(
      current.variableConfigurations,
      parsed.variableConfigurations,
      removeMissing,
    ),
    softwareClasses: compareSection(current.softwareClasses, parsed.softwareClasses, removeMissing),
    computerRoles: compareSection(current.computerRoles, parsed.computerRoles, removeMissing),
  }
}

function compareSection<T extends CatalogObject<object>>(
  current: T[],
  target: T[] | undefined,
  removeMissing: boolean,
): SectionDifference<T> {
  if (!target) return { added: [], changed: [], removed: [] }
  const currentByKey = new Map(current.map((object) => [object.key, object]))
  const targetKeys = new Set(target.map(({ key }) => key))
  return {
    added: target.filter(({ key }) => !currentByKey.has(key)),
    changed: target.flatMap((after) => {
      const before = currentByKey.get(after.key)
      const fields = before ? changedFields(before.fields, after.fields) : []
      return before && fields.length > 0 ? [{ before, after, fields }] : []
    }),
    removed: removeMissing ? current.filter(({ key }) => !targetKeys.has(key)) : [],
  }
}

function changedFields(before: object, after: object): string[] {
  const previous = before as Record<string, unknown>
  return Object.entries(after).flatMap(([field, value]) => (isDeepStrictEqual(previous[field], value) ? [] : [field]))
}
