import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { loadAssignmentUsage, loadDefinitionUsage, noUsage, type UsageLookup } from '../catalog-usage.ts'
import type { StateSectionName } from './section-names.ts'
import type { StateChange } from './state-section.ts'

/**
 * Counts the computers that each change affects: those in and below the groups of its object. Changes of the same groups
 * share a count, and all counts are one statement.
 */
export async function countAffectedComputers(
  db: Database,
  changes: readonly StateChange[],
): Promise<(change: StateChange) => number> {
  const sets = new Map(changes.map((change) => [setKey(change), groupsOf(change)]))
  const { rows } = await sql<{ key: string; computers: number }>`
    select wanted.key, count(distinct member.computer_id)::integer as computers
    from jsonb_to_recordset(${JSON.stringify([...sets].map(([key, paths]) => ({ key, paths })))}::jsonb)
        as wanted (key text, paths jsonb)
      cross join jsonb_array_elements_text(wanted.paths) as listed (path)
      join groups own on lower(own.path) = listed.path
      join group_ancestors below on below.ancestor_id = own.id
      join effective_memberships member on member.group_id = below.descendant_id
    group by wanted.key`.execute(db)
  const counts = new Map(rows.map(({ key, computers }) => [key, computers]))
  const usage = await loadUsages(db, changes)
  return (change) => usage(change) ?? counts.get(setKey(change)) ?? 0
}

/** The groups before and after the change, in lower case. */
const groupsOf = ({ before, after }: StateChange) =>
  [...new Set([...(before?.groups ?? []), ...(after?.groups ?? [])].map((path) => path.toLowerCase()))].sort()

const setKey = (change: StateChange) => JSON.stringify(groupsOf(change))

/** Definitions belong to no group: what counts is who uses them. */
async function loadUsages(
  db: Database,
  changes: readonly StateChange[],
): Promise<(change: StateChange) => number | undefined> {
  const keysOf = (section: StateSectionName) =>
    changes.filter((change) => change.section === section).map(({ object }) => object.key)
  const load = async (section: StateSectionName, lookup: (keys: string[]) => Promise<UsageLookup>) => {
    const keys = keysOf(section)
    return [section, keys.length > 0 ? await lookup(keys) : () => noUsage] as const
  }
  const lookups = new Map<StateSectionName, UsageLookup>([
    await load('variableDefinitions', (keys) => loadDefinitionUsage(db, keys)),
    await load('variableConfigurations', (keys) => loadAssignmentUsage(db, 'variableConfiguration', keys)),
    await load('softwareClasses', (keys) => loadAssignmentUsage(db, 'softwareClass', keys)),
  ])
  return ({ section, object }) => lookups.get(section)?.(object.key).computers
}
