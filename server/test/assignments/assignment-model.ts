import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'
import type { RandomGroup } from '../world/random-groups.ts'
import type { Assignable, Assignments } from './assignment-world.ts'

export type Won = { object: Assignable; group: RandomGroup }
type Reached = Won & { distance: number }

/** The rules of inheritance as plainly as they can be said: all assignments of a kind for one computer, best first. */
export function reachedBy(world: Assignments, computer: number, kinds: readonly AssignmentKind[]): Reached[] {
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

/** The one object of a kind that the computer gets. */
export function winner(world: Assignments, computer: number, kind: AssignmentKind): Won | undefined {
  return reachedBy(world, computer, [kind])[0]
}

/** Every object of a kind that the computer gets, each with the group that brings it. */
export function winners(world: Assignments, computer: number, kind: AssignmentKind): Won[] {
  const reached = reachedBy(world, computer, [kind])
  return reached.filter(({ object }, at) => reached.findIndex((one) => one.object === object) === at)
}

/** What holds for the group itself: of kinds of which a group has one, the nearest, and of the others everything. */
export function heldBy(world: Assignments, groupId: string, inherited: boolean): Assignable[] {
  const above = groupsAbove(world, groupId, 0).slice(0, inherited ? undefined : 1)
  const held = above.flatMap(({ group }) => world.assignments.filter((one) => one.group === group.id))
  const objects = [...new Set(held.map(({ object }) => object))]
  return objects.filter((one) => !assignmentTables[one.kind].single || objects.find(sameKind(one)) === one)
}

const sameKind =
  ({ kind }: Assignable) =>
  (other: Assignable) =>
    other.kind === kind

/** The groups that hold the object, by id. */
export function holders(world: Assignments, object: Assignable): string[] {
  return world.assignments
    .filter((one) => one.object === object)
    .map(({ group }) => group)
    .toSorted()
}

/** The computers in the group and in those below it. */
export function membersBelow(world: Assignments, groupId: string): Set<number> {
  const isBelow = (id: string) => groupsAbove(world, id, 0).some(({ group }) => group.id === groupId)
  return new Set(world.memberships.filter(({ group }) => isBelow(group)).map(({ computer }) => computer))
}
