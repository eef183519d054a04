import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'
import type { Given } from '../world/given.ts'
import {
  at,
  type Membership,
  makeGroups,
  makeMemberships,
  many,
  pick,
  plannedGroups,
  plannedMemberships,
  type RandomGroup,
  unique,
} from '../world/random-groups.ts'

/** An object that can be assigned, with the packages that computers get through it. */
export type Assignable = { kind: AssignmentKind; id: number | string; packages: string[] }

/** Everything that determines what computers get, as stored. */
export type Assignments = {
  groups: RandomGroup[]
  computers: number[]
  memberships: Membership[]
  objects: Assignable[]
  assignments: { group: string; object: Assignable }[]
}

/** Random plans of groups, memberships and assignments. */
export const plans = fc.record({
  groups: plannedGroups(12),
  memberships: plannedMemberships(18),
  covered: many(fc.record({ class: at, package: at }), 4),
  assignments: many(fc.record({ object: at, group: at }), 40),
})

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never

/** Deletes the result of an earlier plan and stores this one. */
export async function carryOut(db: Database, given: Given, plan: Plan): Promise<Assignments> {
  await sql`truncate computers, packages, software_classes cascade`.execute(db)

  const groups = await makeGroups(db, plan.groups)
  // The language packs are for Windows, so they are no work for these computers.
  const system = { os_name: 'Debian GNU/Linux' }
  const computers = [await given.computer(system), await given.computer(system), await given.computer(system)].map(
    ({ id }) => id,
  )
  const memberships = await makeMemberships(db, plan.memberships, computers, groups)
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
