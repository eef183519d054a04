import { compositeKey } from '@muster/text'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { GoneMeanwhile } from '../../database/errors.ts'
import { getEffectiveOptions } from '../distribution/distribution-options.ts'
import { type AssignmentOfGroup, listAssignmentsOfGroup } from '../fleet/pages/group-page.ts'
import { variableValues } from '../variables/variable-values.ts'

/** What a group has through its place in the tree. */
export async function getInheritance(db: Database, groupId: string) {
  const { schedule: _, ...options } = await getEffectiveOptions(db, groupId, null)
  const values = variableValues(db, { kind: 'group', id: groupId }, { includeInherited: true })
  return {
    place: await getPlace(db, groupId),
    assignments: await listAssignmentsOfGroup(db, groupId),
    variables: await values.orderBy('definition.dotted_name').execute(),
    options: JSON.stringify(options),
  }
}

type Inheritance = Awaited<ReturnType<typeof getInheritance>>

async function getPlace(db: Database, groupId: string) {
  const { rows } = await sql<{ path: string; parentId: string; groups: number }>`
    select groups.path, groups.parent_id as "parentId", (
      select count(*)::integer from group_ancestors below
        join permanent_groups inner_group on inner_group.id = below.descendant_id
      where below.ancestor_id = groups.id) as groups
    from groups where groups.id = ${groupId}`.execute(db)
  const [place] = rows
  if (!place) throw new GoneMeanwhile(`The group ${groupId} does not exist.`)
  return place
}

/** What differs between the two places of a group. */
export function compareInheritance(before: Inheritance, after: Inheritance) {
  return {
    gained: withoutThose(after.assignments, before.assignments),
    lost: withoutThose(before.assignments, after.assignments),
    variables: changedVariables(before, after),
    changesDistributionOptions: before.options !== after.options,
  }
}

const keyOf = ({ type, objectId }: AssignmentOfGroup) => compositeKey(type, objectId)

function withoutThose(assignments: AssignmentOfGroup[], others: AssignmentOfGroup[]) {
  const known = new Set(others.map(keyOf))
  return assignments
    .filter((assignment) => !known.has(keyOf(assignment)))
    .map(({ isInherited: _, ...assignment }) => assignment)
}

/** The values of secrets are not compared, only where they come from. */
function changedVariables(before: Inheritance, after: Inheritance) {
  const previous = new Map(before.variables.map((variable) => [variable.varId, variable]))
  return after.variables.flatMap(({ varId, dottedName, isSecret, value, source, sourceGroupId }) => {
    const old = previous.get(varId)
    const isSame = isSecret
      ? old?.source === source && old?.sourceGroupId === sourceGroupId
      : (old?.value ?? null) === value
    return isSame ? [] : [{ varId, dottedName, isSecret, previousValue: old?.value ?? null, value }]
  })
}
