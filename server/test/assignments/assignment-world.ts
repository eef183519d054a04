import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { type AssignmentKind, assignmentTables } from '../../src/domain/assignments/effective-assignments.ts'
import type { Given } from '../world/given.ts'

export type Group = { id: string; tree: string; parentId: string | null; kind: string; path: string }

/** Something that can be assigned, with the packages that computers get with it. */
export type Assignable = { kind: AssignmentKind; id: number | string; packages: string[] }

/** Everything on which it depends what computers get, as stored. */
export type Assignments = {
  groups: Group[]
  computers: number[]
  memberships: { group: string; computer: number }[]
  objects: Assignable[]
  assignments: { group: string; object: Assignable }[]
}

const at = fc.nat({ max: 1000 })
const many = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength, size: 'max' })

/** What is to be made; numbers point at one of the things that exist, whatever their number. */
export const plans = fc.record({
  groups: many(
    fc.record({
      parent: at,
      // Names that order otherwise by bytes than by a language, so that paths must be compared by bytes.
      name: fc.constantFrom('a', 'B', 'a b', 'Ä', 'a-b'),
      kind: fc.constantFrom('Ordinary', 'Ordinary', 'Ordinary', 'Ordinary', 'Reinstall', 'EOL'),
    }),
    12,
  ),
  memberships: many(fc.record({ computer: at, group: at }), 12),
  covered: many(fc.record({ class: at, package: at }), 4),
  assignments: many(fc.record({ object: at, group: at }), 40),
})

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

function unique<T>(items: T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/** Replaces what an earlier plan left behind. */
export async function carryOut(db: Database, given: Given, plan: Plan): Promise<Assignments> {
  await sql`truncate computers, packages, software_classes cascade`.execute(db)
  await db.deleteFrom('groups').where('parent_id', 'is not', null).execute()

  const groups = await makeGroups(db, plan)
  const computers = [await given.computer(), await given.computer(), await given.computer()].map(({ id }) => id)
  const memberships = await makeMemberships(given, plan, computers, groups)
  const objects = await makeObjects(given, plan)
  const planned = plan.assignments.map((one) => ({
    group: pick(groups, one.group).id,
    object: pick(objects, one.object),
  }))
  const assignments = unique(planned, ({ group, object }) => {
    const { single } = assignmentTables[object.kind]
    return [group, object.kind, single ? '' : object.id].join(' ')
  })
  for (const { group, object } of assignments) await given.assignment({ id: group }, object, object.kind)
  return { groups, computers, memberships, objects, assignments }
}

async function makeGroups(db: Database, plan: Plan): Promise<Group[]> {
  const columns = ['id', 'tree', 'parent_id as parentId', 'kind', 'path'] as const
  const found = await db.selectFrom('groups').select(columns).orderBy('tree').execute()
  const taken = new Set<string>()
  for (const { parent, name, kind } of plan.groups) {
    const above = pick(
      found.filter((group) => group.kind === 'System' || group.kind === 'Ordinary'),
      parent,
    )
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

async function makeMemberships(
  given: Given,
  plan: Plan,
  computers: number[],
  groups: Group[],
): Promise<Assignments['memberships']> {
  const planned = plan.memberships.map((one) => ({
    computer: pick(computers, one.computer),
    group: pick(groups, one.group),
  }))
  const isExclusive = ({ tree, kind }: Group) =>
    tree === 'ConfigurationGroups' && (kind === 'System' || kind === 'Ordinary')
  const kept = unique(planned, ({ computer, group }) => `${computer} ${isExclusive(group) ? 'only' : group.id}`)
  for (const { computer, group } of kept) await given.member(group, { id: computer })
  return kept.map(({ computer, group }) => ({ computer, group: group.id }))
}

async function makeObjects(given: Given, plan: Plan): Promise<Assignable[]> {
  const packages = [await given.package(), await given.package(), await given.package()].map(({ id }) => id)
  const covered = [0, 1].map((at) =>
    plan.covered.filter((one) => one.class % 2 === at).map((one) => pick(packages, one.package)),
  )
  const objects: Assignable[] = packages.map((id) => ({ kind: 'package', id, packages: [id] }))
  for (const some of covered.map((ids) => [...new Set(ids)])) {
    const { id } = await given.softwareClass({ packages: some.map((one) => ({ id: one })) })
    objects.push({ kind: 'softwareClass', id, packages: some })
  }
  for (const editions of [['Home', 'Pro'], ['Server']]) {
    const system = await given.osImage({ editions })
    objects.push(...system.skus.map(({ id }): Assignable => ({ kind: 'osImageSku', id, packages: [system.id] })))
  }
  for (let n = 0; n < 2; n++) {
    const [image, template, pack] = [
      await given.pxeBootImage(),
      await given.agentTemplate(),
      await given.languagePack(),
    ]
    objects.push({ kind: 'pxeBootImage', id: image.id, packages: [image.packageId] })
    objects.push({ kind: 'agentTemplate', id: template.id, packages: [template.id] })
    objects.push({ kind: 'languagePack', id: pack.id, packages: [pack.id] })
  }
  return objects
}
