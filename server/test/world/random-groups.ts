import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

export type RandomGroup = {
  id: string
  tree: string
  parentId: string | null
  kind: string
  path: string
  depth: number
}

export type Membership = { group: string; computer: number }

/** A number that `pick` maps to one of the existing items. */
export const at = fc.nat({ max: 1000 })

export const many = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength, size: 'max' })

export const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

export function unique<T>(items: T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/** Descriptions of groups in both trees, some of them special. */
export const plannedGroups = (maxLength: number) =>
  many(
    fc.record({
      // Many groups have the same parent so that only their names decide the order.
      parent: fc.oneof(fc.constant(0), at),
      // Names whose order by bytes differs from the order of a language, because paths are compared by bytes.
      name: fc.constantFrom('a', 'B', 'a b', 'Ä', 'a-b'),
      kind: fc.constantFrom('Ordinary', 'Ordinary', 'Ordinary', 'Ordinary', 'Reinstall', 'EOL'),
    }),
    maxLength,
  )

export const plannedMemberships = (maxLength: number) => many(fc.record({ computer: at, group: at }), maxLength)

type Planned<A> = A extends fc.Arbitrary<infer T> ? T : never

/** Replaces all groups below the roots with the planned ones and returns all groups, including the roots. */
export async function makeGroups(
  db: Database,
  planned: Planned<ReturnType<typeof plannedGroups>>,
): Promise<RandomGroup[]> {
  await db.deleteFrom('groups').where('parent_id', 'is not', null).execute()
  const columns = ['id', 'tree', 'parent_id as parentId', 'kind', 'path', 'depth'] as const
  const found = await db.selectFrom('groups').select(columns).orderBy('tree').execute()
  const taken = new Set<string>()
  for (const { parent, name, kind } of planned) {
    const parentGroup = pick(found.filter(isOrdinary), parent)
    const key = `${parentGroup.id} ${name.toLowerCase()}`
    if (taken.has(key)) continue
    taken.add(key)
    found.push(
      await db
        .insertInto('groups')
        .values({ tree: parentGroup.tree, parent_id: parentGroup.id, name, kind })
        .returning(columns)
        .executeTakeFirstOrThrow(),
    )
  }
  return found
}

const isOrdinary = ({ kind }: RandomGroup) => kind === 'System' || kind === 'Ordinary'
const isExclusive = (group: RandomGroup) => group.tree === 'ConfigurationGroups' && isOrdinary(group)

/** Adds computers to groups, each to at most one configuration group. Returns the memberships. */
export async function makeMemberships(
  db: Database,
  planned: Planned<ReturnType<typeof plannedMemberships>>,
  computers: readonly number[],
  groups: readonly RandomGroup[],
): Promise<Membership[]> {
  const members = planned.map((one) => ({ computer: pick(computers, one.computer), group: pick(groups, one.group) }))
  const kept = unique(members, ({ computer, group }) => `${computer} ${isExclusive(group) ? 'only' : group.id}`)
  for (const { computer, group } of kept)
    await sql`
      insert into group_computers (group_id, computer_id, is_exclusive)
      select id, ${computer}, is_exclusive from groups where id = ${group.id}`.execute(db)
  return kept.map(({ computer, group }) => ({ computer, group: group.id }))
}
