import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'
import type { RandomGroup } from '../world/random-groups.ts'
import type { Assignable, Assignments } from './assignment-world.ts'

export type EffectiveObject = { object: Assignable; group: RandomGroup }
type ReachedObject = EffectiveObject & { distance: number }

/** The rules of inheritance in plain code: all assignments of these kinds within reach of a computer, best first. */
export function reachedBy(world: Assignments, computer: number, kinds: readonly AssignmentKind[]): ReachedObject[] {
  return world.memberships
    .filter((member) => member.computer === computer)
    .map(({ group }) => world.groups.find(({ id }) => id === group))
    .flatMap((group) => (group && group.kind !== 'Reinstall' ? groupsAbove(world, group.id, 0) : []))
    .flatMap((reached) =>
      world.assignments
        .filter(({ group, object }) => group === reached.group.id && kinds.includes(object.kind))
        .map(({ object }) => ({ ...reached, object })),
    )
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        Number(a.group.tree !== 'ConfigurationGroups') - Number(b.group.tree !== 'ConfigurationGroups') ||
        Buffer.compare(Buffer.from(a.group.path), Buffer.from(b.group.path)),
    )
}

function groupsAbove(
  world: Assignments,
  id: string | null,
  distance: number,
): { group: RandomGroup; distance: number }[] {
  const group = world.groups.find((one) => one.id === id)
  return group ? [{ group, distance }, ...groupsAbove(world, group.parentId, distance + 1)] : []
}

/** The effective assignment of a kind of which a computer gets one object. */
export function winner(world: Assignments, computer: number, kind: AssignmentKind): EffectiveObject | undefined {
  return reachedBy(world, computer, [kind])[0]
}

/** The effective assignments of a kind of which a computer gets all objects: each with the nearest group. */
export function winners(world: Assignments, computer: number, kind: AssignmentKind): EffectiveObject[] {
  const reached = reachedBy(world, computer, [kind])
  return reached.filter(({ object }, at) => reached.findIndex((one) => one.object === object) === at)
}

/** The objects of a group: of single kinds the nearest, of other kinds all. */
export function objectsOfGroup(world: Assignments, groupId: string, inherited: boolean): Assignable[] {
  const above = groupsAbove(world, groupId, 0).slice(0, inherited ? undefined : 1)
  const assignments = above.flatMap(({ group }) => world.assignments.filter((one) => one.group === group.id))
  const objects = [...new Set(assignments.map(({ object }) => object))]
  return objects.filter((one) => !assignmentTables[one.kind].single || objects.find(sameKind(one)) === one)
}

const sameKind =
  ({ kind }: Assignable) =>
  (other: Assignable) =>
    other.kind === kind

/** The groups to which the object is assigned directly, sorted by id. */
export function directGroupsOf(world: Assignments, object: Assignable): string[] {
  return world.assignments
    .filter((one) => one.object === object)
    .map(({ group }) => group)
    .toSorted()
}

/** The computers in the group and its subgroups. */
export function membersBelow(world: Assignments, groupId: string): Set<number> {
  const isBelow = (id: string) => groupsAbove(world, id, 0).some(({ group }) => group.id === groupId)
  return new Set(world.memberships.filter(({ group }) => isBelow(group)).map(({ computer }) => computer))
}
