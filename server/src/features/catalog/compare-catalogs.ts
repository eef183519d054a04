import { isDeepStrictEqual } from 'node:util'
import type { CatalogDefinition, CatalogObject, CatalogState } from './catalog-state.ts'
import type { ParsedCatalog } from './parse-catalog.ts'

export type SectionDifference<T> = {
  added: T[]
  changed: { before: T; after: T; fields: string[] }[]
  removed: T[]
}

export type CatalogDifferences = { [S in keyof CatalogState]: SectionDifference<CatalogState[S][number]> }

/** What to remove of what the document does not list: nothing, everything, or only what is named. */
export type CatalogRemovals = { removeMissing?: boolean; removeOnly?: readonly string[] }

/** The changes that turn the current catalog into the one of the document. */
export function compareCatalogs(
  current: CatalogState & { systemKeys: ReadonlySet<string> },
  parsed: ParsedCatalog,
  { removeMissing = false, removeOnly }: CatalogRemovals,
): CatalogDifferences {
  const named = removeOnly && new Set(removeOnly.map((name) => name.toLowerCase()))
  const isRemovable = ({ key, name }: { key: string; name: string }) =>
    removeMissing && (named === undefined || named.has(key) || named.has(name.toLowerCase()))
  const definitions = compareSection(current.variableDefinitions, parsed.variableDefinitions, isRemovable)
  return {
    variableDefinitions: {
      ...definitions,
      removed: withoutParents(
        definitions.removed.filter(({ key }) => !current.systemKeys.has(key)),
        current.variableDefinitions,
      ),
    },
    variableConfigurations: compareSection(current.variableConfigurations, parsed.variableConfigurations, isRemovable),
    softwareClasses: compareSection(current.softwareClasses, parsed.softwareClasses, isRemovable),
    computerRoles: compareSection(current.computerRoles, parsed.computerRoles, isRemovable),
  }
}

/** The removed definitions without those that still have children, which are deleted with them. */
function withoutParents(removed: CatalogDefinition[], all: readonly CatalogDefinition[]): CatalogDefinition[] {
  const keys = new Set(removed.map(({ key }) => key))
  const parents = new Set(all.flatMap(({ key, parentKey }) => (keys.has(key) || parentKey === null ? [] : [parentKey])))
  const kept = removed.filter(({ key }) => !parents.has(key))
  return kept.length === removed.length ? kept : withoutParents(kept, all)
}

function compareSection<T extends CatalogObject<object>>(
  current: T[],
  target: T[] | undefined,
  isRemovable: (object: T) => boolean,
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
    removed: current.filter((object) => !targetKeys.has(object.key) && isRemovable(object)),
  }
}

function changedFields(before: object, after: object): string[] {
  const previous = before as Record<string, unknown>
  return Object.entries(after).flatMap(([field, value]) => (isDeepStrictEqual(previous[field], value) ? [] : [field]))
}
