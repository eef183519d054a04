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

/** Numbers that point at one of the things that exist, whatever their number. */
export const at = fc.nat({ max: 1000 })

export const many = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength, size: 'max' })

export const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

export function unique<T>(items: T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/** Groups of both trees, some of them special. */
export const plannedGroups = (maxLength: number) =>
  many(
    fc.record({
      // Many of them side by side, where only their names can decide.
      parent: fc.oneof(fc.constant(0), at),
      // Names that order otherwise by bytes than by a language, so that paths must be compared by bytes.
      name: fc.constantFrom('a', 'B', 'a b', 'Ä', 'a-b'),
      kind: fc.constantFrom('Ordinary', 'Ordinary', 'Ordinary', 'Ordinary', 'Reinstall', 'EOL'),
    }),
    maxLength,
  )

export const plannedMemberships = (maxLength: number) => many(fc.record({ computer: at, group: at }), maxLength)

type Planned<A> = A extends fc.Arbitrary<infer T> ? T : never

/** Makes the groups below the roots, instead of those that are there, and returns all. */
export async function makeGroups(
  db: Database,
  planned: Planned<ReturnType<typeof plannedGroups>>,
): Promise<RandomGroup[]> {
  await db.deleteFrom('groups').where('parent_id', 'is not', null).execute()
  const columns = ['id', 'tree', 'parent_id as parentId', 'kind', 'path', 'depth'] as const
  const found = await db.selectFrom('groups').select(columns).orderBy('tree').execute()
  const taken = new Set<string>()
  for (const { parent, name, kind } of planned) {
    const above = pick(found.filter(isOrdinary), parent)
    const key = `${above.id} ${name.toLowerCase()}`
    if (taken.has(key)) continue
    taken.add(key)
    found.push(
      await db
        .insertInto('groups')
        .values({ tree: above.tree, parent_id: above.id, name, kind })
        .returning(columns)
        .executeTakeFirstOrThrow(),
    )
  }
  return found
}

const isOrdinary = ({ kind }: RandomGroup) => kind === 'System' || kind === 'Ordinary'
const isExclusive = (group: RandomGroup) => group.tree === 'ConfigurationGroups' && isOrdinary(group)

/** Puts computers into groups; into one configuration group at most. */
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
