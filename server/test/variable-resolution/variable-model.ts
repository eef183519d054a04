import { laterSchedule, type Value, type Variables } from '../variables/variable-world.ts'

type Source = 'forced' | 'computer' | 'group' | 'configuration' | 'package' | 'default'
export type Found = {
  value: string | null
  source: Source | null
  sourceGroupId: string | null
  schedule: string | null
}

type Reached = { group: Variables['groups'][number]; distance: number }

const unset: Found = { value: null, source: null, sourceGroupId: null, schedule: null }

/** The rules of inheritance in their simplest form, for one owner and one variable. */
export function resolve(world: Variables, owner: { computer: number } | { group: string }, varId: number): Found {
  const reached = 'computer' in owner ? groupsOfComputer(world, owner.computer) : groupsAbove(world, owner.group, 0)
  const own = 'computer' in owner ? world.computerValues.find(isOf({ ...owner, varId })) : undefined
  const packages = 'computer' in owner ? nearestSet(reached, effectivePackages(world, reached), varId) : undefined
  const { defaultValue = null } = world.variables.find(({ id }) => id === varId) ?? {}
  return (
    forcedValue(world, reached, varId) ??
    (own && { value: own.value, source: 'computer', sourceGroupId: null, schedule: own.schedule }) ??
    nearestValue(world, reached, varId) ??
    (packages && { ...packages, source: 'package' }) ??
    (defaultValue === null ? unset : { ...unset, value: defaultValue, source: 'default' })
  )
}

const isOf =
  ({ computer, varId }: { computer: number; varId: number }) =>
  (value: Variables['computerValues'][number]) =>
    value.computer === computer && value.varId === varId && hasBegun(value)

const hasBegun = ({ schedule }: { schedule: string | null }) => schedule !== laterSchedule

function groupsOfComputer(world: Variables, computer: number): Reached[] {
  return world.memberships
    .filter((member) => member.computer === computer)
    .map(({ group }) => world.groups.find(({ id }) => id === group))
    .flatMap((group) => (group && group.kind !== 'Reinstall' ? groupsAbove(world, group.id, 0) : []))
}

function groupsAbove(world: Variables, id: string | null, distance: number): Reached[] {
  const group = world.groups.find((candidate) => candidate.id === id)
  return group ? [{ group, distance }, ...groupsAbove(world, group.parentId, distance + 1)] : []
}

function forcedValue(world: Variables, reached: Reached[], varId: number): Found | undefined {
  const highestFirst = sorted(reached, ({ group }) => group.depth)
  for (const { group } of highestFirst) {
    const value = groupValue(world, group.id, varId)
    if (value?.forced)
      return { value: value.value, source: 'forced', sourceGroupId: group.id, schedule: value.schedule }
  }
  return undefined
}

function nearestValue(world: Variables, reached: Reached[], varId: number): Found | undefined {
  for (const { group } of sorted(reached, ({ distance }) => distance)) {
    const value = groupValue(world, group.id, varId)
    if (value) return { value: value.value, source: 'group', sourceGroupId: group.id, schedule: value.schedule }
    const configured = nearestSet([{ group, distance: 0 }], world.configurations, varId)
    if (configured) return { ...configured, source: 'configuration' }
  }
  return undefined
}

function groupValue(world: Variables, group: string, varId: number) {
  return world.groupValues.find((value) => value.group === group && value.varId === varId && hasBegun(value))
}

/** The value in the set with the smallest id, among the sets that are assigned to the nearest group and have the variable. */
function nearestSet(
  reached: Reached[],
  sets: { id: number | string; groups: string[]; values: Value[] }[],
  varId: number,
): Pick<Found, 'value' | 'sourceGroupId' | 'schedule'> | undefined {
  const byId = sets.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { group } of sorted(reached, ({ distance }) => distance))
    for (const { groups, values } of byId) {
      const value = groups.includes(group.id) && values.find((one) => one.varId === varId && hasBegun(one))
      if (value) return { value: value.value, sourceGroupId: group.id, schedule: value.schedule }
    }
  return undefined
}

/** All packages but the agent templates that are not the nearest one. Their defaults have no schedules. */
function effectivePackages({ packages }: Variables, reached: Reached[]): Variables['packages'] {
  const [nearest] = sorted(reached, ({ distance }) => distance)
    .map(({ group }) => group.id)
    .filter((id) => packages.some(({ isTemplate, groups }) => isTemplate && groups.includes(id)))
  return packages.map((one) => ({
    ...one,
    groups: one.isTemplate ? one.groups.filter((id) => id === nearest) : one.groups,
    values: one.values.map((value) => ({ ...value, schedule: null })),
  }))
}

function sorted(reached: Reached[], rank: (reached: Reached) => number): Reached[] {
  return reached.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Number(a.group.tree !== 'ConfigurationGroups') - Number(b.group.tree !== 'ConfigurationGroups') ||
      Buffer.compare(Buffer.from(a.group.path), Buffer.from(b.group.path)),
  )
}
