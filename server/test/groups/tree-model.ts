import { expect } from 'vitest'
import type { Database } from '../../src/database/connect.ts'

export type ModelGroup = { id: string; name: string; parentId: string | null; tree: string; isSpecial: boolean }

/** The expected state of the group trees, computed in the simplest way. */
export class TreeModel {
  readonly groups = new Map<string, ModelGroup>()
  /** Computer ids by group id. */
  readonly members = new Map<string, Set<number>>()

  constructor(groups: Iterable<ModelGroup>) {
    for (const group of groups) this.put(group)
  }

  put(group: ModelGroup): void {
    this.groups.set(group.id, group)
    if (!this.members.has(group.id)) this.members.set(group.id, new Set())
  }

  /** The group and its ancestors, nearest first. */
  lineOf(id: string): ModelGroup[] {
    const line: ModelGroup[] = []
    for (let group = this.groups.get(id); group; group = this.groups.get(group.parentId ?? '')) line.push(group)
    return line
  }

  subtreeOf(id: string): ModelGroup[] {
    return [...this.groups.values()].filter((group) => this.lineOf(group.id).some((above) => above.id === id))
  }

  computersOf(group: ModelGroup): Set<number> {
    return this.members.get(group.id) ?? new Set()
  }

  computersBelow(id: string): number[] {
    return [...new Set(this.subtreeOf(id).flatMap((group) => [...this.computersOf(group)]))].sort((a, b) => a - b)
  }

  remove(id: string): void {
    for (const group of this.subtreeOf(id)) {
      this.groups.delete(group.id)
      this.members.delete(group.id)
    }
  }

  hasSibling(name: string, parentId: string | null, except?: string): boolean {
    return [...this.groups.values()].some(
      (group) => group.id !== except && group.parentId === parentId && group.name.toLowerCase() === name.toLowerCase(),
    )
  }

  /** The configuration group that a computer is in; there is at most one. */
  configurationGroupOf(computer: number): ModelGroup | undefined {
    return [...this.groups.values()].find(
      (group) => group.tree === 'ConfigurationGroups' && this.computersOf(group).has(computer),
    )
  }
}

/** Checks the stored ancestors, paths and depths against the parents in the table `groups`. */
export async function expectConsistentTrees(db: Database): Promise<void> {
  const model = new TreeModel(await readGroups(db))

  await expectTrees(db, model)
}

/** Checks the tables against the model. */
export async function expectTrees(db: Database, model: TreeModel): Promise<void> {
  const groups = [...model.groups.values()].map((group) => {
    const line = model.lineOf(group.id)
    const path = line
      .map(({ name }) => name)
      .reverse()
      .join('/')
    return { ...group, path, depth: line.length - 1 }
  })
  const pairs = groups.flatMap(({ id }) =>
    model.lineOf(id).map((above, distance) => `${id} is ${distance} below ${above.id}`),
  )
  expect(await readGroupRows(db)).toEqual(groups.sort((a, b) => (a.id < b.id ? -1 : 1)))
  expect(await readAncestorPairs(db)).toEqual(pairs.sort())
}

export async function expectMembers(db: Database, model: TreeModel): Promise<void> {
  const stored = await db.selectFrom('group_computers').select(['group_id', 'computer_id']).execute()
  const members = [...model.members].flatMap(([group, computers]) => [...computers].map((id) => `${id} in ${group}`))
  expect(stored.map(({ group_id, computer_id }) => `${computer_id} in ${group_id}`).sort()).toEqual(members.sort())
}

async function readGroupRows(db: Database) {
  const rows = await db
    .selectFrom('groups')
    .select(['id', 'name', 'parent_id as parentId', 'tree', 'kind', 'path', 'depth'])
    .orderBy('id')
    .execute()
  return rows.map(({ kind, ...group }) => ({ ...group, isSpecial: kind !== 'System' && kind !== 'Ordinary' }))
}

export async function readGroups(db: Database): Promise<ModelGroup[]> {
  return (await readGroupRows(db)).map(({ path: _path, depth: _depth, ...group }) => group)
}

async function readAncestorPairs(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('group_ancestors').selectAll().execute()
  return rows.map((row) => `${row.descendant_id} is ${row.distance} below ${row.ancestor_id}`).sort()
}
