import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import type { Catalog, CatalogPlan } from './api/schemas.ts'
import { requireKnownReferences } from './catalog-references.ts'
import { currentCatalog, type Definition } from './catalog-state.ts'
import { assignmentUsage, definitionUsage, type Usage, type UsageOf } from './catalog-usage.ts'
import { compareCatalogs, type Difference, type Differences } from './compare-catalogs.ts'
import { wantedCatalog } from './parse-catalog.ts'

export type Plan = Static<typeof CatalogPlan>
export type PlannedChange = Plan['changes'][number]

/** What applying the document would do, with what stands in its way. */
export async function planCatalog(
  db: Database,
  catalog: Catalog,
  removeMissing: boolean,
): Promise<{ plan: Plan; differences: Differences }> {
  const wanted = wantedCatalog(catalog)
  const current = await currentCatalog(db)
  await requireKnownReferences(db, wanted, current)
  const differences = compareCatalogs(current, wanted, removeMissing)
  const changes = [
    ...described('variableDefinitions', differences.variableDefinitions, await definitionsInQuestion(db, differences), {
      remove: valuesInTheWay,
      change: (fields, usage) =>
        fields.some((field) => field === 'kind' || field === 'secret') ? valuesInTheWay(usage) : [],
    }),
    ...described(
      'variableConfigurations',
      differences.variableConfigurations,
      await assignmentUsage(db, 'variableConfiguration', keysOf(differences.variableConfigurations)),
      unlessAssigned,
    ),
    ...described(
      'softwareClasses',
      differences.softwareClasses,
      await assignmentUsage(db, 'softwareClass', keysOf(differences.softwareClasses)),
      unlessAssigned,
    ),
    ...described('computerRoles', differences.computerRoles, () => ({ ...noUsage, computers: 1 }), freely),
  ]
  const count = (action: PlannedChange['action']) => changes.filter((change) => change.action === action).length
  return {
    plan: { isApplied: false, added: count('add'), changed: count('change'), removed: count('remove'), changes },
    differences,
  }
}

const noUsage: Usage = { computers: 0, groups: 0, configurations: 0, packages: 0 }

type Obstacles = { remove(usage: Usage): string[]; change(fields: string[], usage: Usage): string[] }

const freely: Obstacles = { remove: () => [], change: () => [] }

const unlessAssigned: Obstacles = {
  remove: ({ groups }) => counted(groups, 'group has it assigned', 'groups have it assigned'),
  change: () => [],
}

function described<T extends { key: string; name: string }>(
  section: PlannedChange['section'],
  { added, changed, removed }: Difference<T>,
  usageOf: UsageOf,
  obstacles: Obstacles,
): PlannedChange[] {
  const change = (
    action: PlannedChange['action'],
    { key, name }: T,
    fields: string[],
    blockers: (usage: Usage) => string[],
  ): PlannedChange => {
    const { packages: _, ...affected } = usageOf(key)
    return { section, name, action, fields, affected, blockers: blockers(usageOf(key)) }
  }
  return [
    ...added.map((object) => change('add', object, [], () => [])),
    ...changed.map(({ after, fields }) => change('change', after, fields, (usage) => obstacles.change(fields, usage))),
    ...removed.map((object) => change('remove', object, [], obstacles.remove)),
  ]
}

function definitionsInQuestion(db: Database, { variableDefinitions }: Differences): Promise<UsageOf> {
  return definitionUsage(db, keysOf<Definition>(variableDefinitions))
}

function keysOf<T extends { key: string }>({ changed, removed }: Difference<T>): string[] {
  return [...changed.map(({ after }) => after.key), ...removed.map(({ key }) => key)]
}

function valuesInTheWay({ computers, groups, configurations, packages }: Usage): string[] {
  return [
    ...counted(computers, 'computer has a value', 'computers have a value'),
    ...counted(groups, 'group has a value', 'groups have a value'),
    ...counted(configurations, 'variable configuration has a value', 'variable configurations have a value'),
    ...counted(packages, 'package has a default', 'packages have a default'),
  ]
}

function counted(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`]
}
