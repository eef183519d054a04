import type { Database } from '../../database/connect.ts'
import type { Catalog, CatalogPlan } from './api/schemas.ts'
import { requireExistingReferences } from './catalog-references.ts'
import { loadCatalogState } from './catalog-state.ts'
import {
  type CatalogUsage,
  loadAssignmentUsage,
  loadDefinitionUsage,
  noUsage,
  type UsageLookup,
} from './catalog-usage.ts'
import {
  type CatalogDifferences,
  type CatalogRemovals,
  compareCatalogs,
  type SectionDifference,
} from './compare-catalogs.ts'
import { parseCatalog } from './parse-catalog.ts'

type CatalogChange = CatalogPlan['changes'][number]

/** Computes what applying the document would change and what blocks each change. Writes nothing. */
export async function computeCatalogPlan(
  db: Database,
  catalog: Catalog,
  removals: CatalogRemovals,
): Promise<{ plan: CatalogPlan; differences: CatalogDifferences }> {
  const parsed = parseCatalog(catalog)
  const current = await loadCatalogState(db)
  await requireExistingReferences(db, parsed, current)
  const differences = compareCatalogs(current, parsed, removals)
  const changes = [
    ...describeChanges(
      'variableDefinitions',
      differences.variableDefinitions,
      await loadDefinitionUsage(db, keysOf(differences.variableDefinitions)),
      blockedByValues,
    ),
    ...describeChanges(
      'variableConfigurations',
      differences.variableConfigurations,
      await loadAssignmentUsage(db, 'variableConfiguration', keysOf(differences.variableConfigurations)),
      blockedByAssignments,
    ),
    ...describeChanges(
      'softwareClasses',
      differences.softwareClasses,
      await loadAssignmentUsage(db, 'softwareClass', keysOf(differences.softwareClasses)),
      blockedByAssignments,
    ),
    ...describeChanges('computerRoles', differences.computerRoles, () => ({ ...noUsage, computers: 1 }), neverBlocked),
  ]
  const count = (action: CatalogChange['action']) => changes.filter((change) => change.action === action).length
  return {
    plan: { isApplied: false, added: count('add'), changed: count('change'), removed: count('remove'), changes },
    differences,
  }
}

/** The rules for what blocks the removal or the change of an object. */
type BlockerRules = { remove(usage: CatalogUsage): string[]; change(fields: string[], usage: CatalogUsage): string[] }

const neverBlocked: BlockerRules = { remove: () => [], change: () => [] }

const blockedByValues: BlockerRules = {
  remove: listValueBlockers,
  change: (fields, usage) =>
    fields.some((field) => field === 'kind' || field === 'secret') ? listValueBlockers(usage) : [],
}

const blockedByAssignments: BlockerRules = {
  remove: ({ groups }) => formatCount(groups, 'group has it assigned', 'groups have it assigned'),
  change: () => [],
}

function describeChanges<T extends { key: string; name: string }>(
  section: CatalogChange['section'],
  { added, changed, removed }: SectionDifference<T>,
  usageOf: UsageLookup,
  blockerRules: BlockerRules,
): CatalogChange[] {
  const change = (
    action: CatalogChange['action'],
    { key, name }: T,
    fields: string[],
    blockers: (usage: CatalogUsage) => string[],
  ): CatalogChange => {
    const { packages: _, ...affected } = usageOf(key)
    return { section, name, action, fields, affected, blockers: blockers(usageOf(key)) }
  }
  return [
    ...added.map((object) => change('add', object, [], () => [])),
    ...changed.map(({ after, fields }) =>
      change('change', after, fields, (usage) => blockerRules.change(fields, usage)),
    ),
    ...removed.map((object) => change('remove', object, [], blockerRules.remove)),
  ]
}

/** New objects are left out: nothing uses them yet. */
function keysOf<T extends { key: string }>({ changed, removed }: SectionDifference<T>): string[] {
  return [...changed.map(({ after }) => after.key), ...removed.map(({ key }) => key)]
}

function listValueBlockers({ computers, groups, configurations, packages }: CatalogUsage): string[] {
  return [
    ...formatCount(computers, 'computer has a value', 'computers have a value'),
    ...formatCount(groups, 'group has a value', 'groups have a value'),
    ...formatCount(configurations, 'variable configuration has a value', 'variable configurations have a value'),
    ...formatCount(packages, 'package has a default', 'packages have a default'),
  ]
}

function formatCount(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
}
