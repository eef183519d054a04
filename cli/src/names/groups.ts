import { answerOf, type components, type MusterClient } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import { chooseOne, isSameName, similarTo } from './choose.ts'

type TreeGroup = components['schemas']['TreeGroup']

/** A group with the names on the way to it, that of the root of its tree first. */
export type PlacedGroup = TreeGroup & { path: readonly string[] }

/** Deeper than any tree of groups. A group that is above itself would have no path. */
const maxDepth = 200

export const formatGroupPath = ({ path }: Pick<PlacedGroup, 'path'>) => path.join('/')

/** All groups of both trees with their paths, parents before children. */
export async function listPlacedGroups(client: MusterClient): Promise<PlacedGroup[]> {
  const groups = await answerOf(client.GET('/api/fleet/group-tree'))
  const byId = new Map(groups.map((group) => [group.id, group]))
  const pathOf = (group: TreeGroup): string[] => {
    const path: string[] = []
    for (let at: TreeGroup | undefined = group; at; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
      path.unshift(at.name)
      if (path.length > maxDepth) throw new CommandFailure('The groups of the service do not form a tree.')
    }
    return path
  }
  const placed = groups.map((group) => ({ ...group, path: pathOf(group) }))
  return placed.sort((a, b) => comparePaths(a.path, b.path))
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [level, name] of a.entries()) {
    const other = b[level]
    if (other === undefined) return 1
    const order = name.localeCompare(other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Finds a group by its path, by the end of it if that is unique, or by its id: `Berlin`, `Office/Berlin`. */
export async function findGroup(client: MusterClient, name: string): Promise<PlacedGroup> {
  const [first = '', ...others] = name.split('/').filter((part) => part !== '')
  // The API also has a name for each tree, which differs from that of its root.
  const names = [trees[first] ?? first, ...others]
  const groups = await listPlacedGroups(client)
  const candidates = groups.filter(({ id, path }) => id === name || endsWith(path, names))
  // A path that begins at the root is complete.
  const complete = candidates.filter(({ path }) => path.length === names.length)
  const listSimilar = () =>
    similarTo(
      names.at(-1) ?? '',
      groups.map(({ path }) => path.at(-1) ?? ''),
    )
  return chooseOne(complete.length === 1 ? complete : candidates, 'group', name, formatGroupPath, listSimilar)
}

/** The groups below another one, on any level. */
export const isBelow = ({ path }: PlacedGroup, { path: above }: PlacedGroup): boolean =>
  path.length > above.length && above.every((name, level) => name === path[level])

const trees: Record<string, string> = { ConfigurationGroups: 'Configuration', AssignmentGroups: 'Assignment' }

function endsWith(path: readonly string[], names: readonly string[]): boolean {
  if (names[0] === '' || names.length > path.length) return false
  return names.every((name, index) => isSameName(path.at(index - names.length), name))
}
