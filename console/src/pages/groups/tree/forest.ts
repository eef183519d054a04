import type { TreeGroup } from '../group-queries.ts'

export type TreeNode = { group: TreeGroup; parent: TreeNode | undefined; children: TreeNode[] }

export type Forest = { roots: TreeNode[]; nodes: Map<string, TreeNode> }

/** A visible line of the tree. */
export type TreeRow = {
  group: TreeGroup
  /** 1 for a root. */
  level: number
  /** The place among the visible groups of the same parent, from 1, and their number. */
  position: number
  siblings: number
  /** Undefined for a group without groups below it. */
  isOpen: boolean | undefined
}

/**
 * Links groups to their parents. `compare` orders names in the language of the reader. The parents of a hostile answer may form a
 * circle, which is cut.
 */
export function buildForest(groups: readonly TreeGroup[], compare: (a: string, b: string) => number): Forest {
  const nodes = new Map(groups.map((group) => [group.id, { group, parent: undefined, children: [] } as TreeNode]))
  const roots: TreeNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(node.group.parentId ?? '')
    if (parent && !hasAbove(parent, node)) {
      node.parent = parent
      parent.children.push(node)
    } else roots.push(node)
  }
  for (const { children } of nodes.values()) children.sort((a, b) => compare(a.group.name, b.group.name))
  return { roots, nodes }
}

/** Whether one node is the other, or above it. */
function hasAbove(node: TreeNode, other: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at; at = at.parent) if (at === other) return true
  return false
}

/** The groups above a group, from the root down to its parent. */
export function listAncestors({ nodes }: Forest, id: string): TreeGroup[] {
  const ancestors: TreeGroup[] = []
  for (let node = nodes.get(id)?.parent; node; node = node.parent) ancestors.unshift(node.group)
  return ancestors
}

/** The names of the group and of the groups above it. */
export function pathOf(forest: Forest, id: string): string {
  const names = [...listAncestors(forest, id), forest.nodes.get(id)?.group].map((group) => group?.name ?? '')
  return names.join('/')
}

/** The groups whose name contains the text, and the groups above them. */
export function findInForest(forest: Forest, text: string): Set<string> {
  const wanted = text.trim().toLocaleLowerCase()
  const found = new Set<string>()
  for (const { group } of forest.nodes.values()) {
    if (!group.name.toLocaleLowerCase().includes(wanted)) continue
    found.add(group.id)
    for (const ancestor of listAncestors(forest, group.id)) found.add(ancestor.id)
  }
  return found
}

/** The visible lines: groups below closed ones are left out, and so is everything outside `shown`, if it is given. */
export function listRows({ roots }: Forest, isOpen: (id: string) => boolean, shown?: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  const addAll = (nodes: readonly TreeNode[], level: number) => {
    const visible = shown ? nodes.filter(({ group }) => shown.has(group.id)) : nodes
    for (const [index, { group, children }] of visible.entries()) {
      const hasChildren = shown ? children.some((child) => shown.has(child.group.id)) : children.length > 0
      const isUnfolded = hasChildren ? shown !== undefined || isOpen(group.id) : undefined
      rows.push({ group, level, position: index + 1, siblings: visible.length, isOpen: isUnfolded })
      if (isUnfolded) addAll(children, level + 1)
    }
  }
  addAll(roots, 1)
  return rows
}

/** The number of groups below a group. */
export function countBelow({ nodes }: Forest, id: string): number {
  const count = (node: TreeNode): number => node.children.reduce((sum, child) => sum + 1 + count(child), 0)
  const node = nodes.get(id)
  return node ? count(node) : 0
}

/** The groups of the same tree that can become the parent of a group: not itself, not below it, not frozen. */
export function listPossibleParents(forest: Forest, id: string): TreeGroup[] {
  const tree = forest.nodes.get(id)?.group.assignedToTree
  const isInside = (group: TreeGroup) =>
    group.id === id || listAncestors(forest, group.id).some((ancestor) => ancestor.id === id)
  return [...forest.nodes.values()]
    .map(({ group }) => group)
    .filter((group) => group.assignedToTree === tree && (group.kind === 'System' || group.kind === 'Ordinary'))
    .filter((group) => !isInside(group))
}
