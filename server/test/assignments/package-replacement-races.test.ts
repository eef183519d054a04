import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')

type HasId = { id: string }

const replace = (before: HasId, after: HasId) =>
  writer.call(replacePackage, { body: { oldPackageId: before.id, newPackageId: after.id } })

const groupsOf = async (one: HasId) => {
  const { body } = await as('package.read').call(listPackageGroups, { params: { id: one.id }, query: { top: 1000 } })
  return body.items.map(({ id }) => id)
}

async function groupsWith(one: HasId, count: number) {
  const groups = []
  for (let n = 0; n < count; n++) {
    const group = await given.group()
    await given.assignment(group, one, 'package')
    groups.push(group)
  }
  return groups
}

test('a group in which the database refuses the change keeps the old package, and the others get the new one', async () => {
  const [before, after] = [await given.package(), await given.package()]
  const groups = await groupsWith(before, 9)
  const [bad, worse] = [groups[2]?.id ?? '', groups[7]?.id ?? '']
  await writer.call(setDistributionOptions, {
    params: { id: bad },
    query: { packageId: before.id },
    body: { commands: ['Update'] },
  })
  await sql`
    create function refuse_some() returns trigger language plpgsql as $$
    begin raise exception 'not here' using errcode = 'check_violation'; end $$`.execute(db)
  await sql`
    create trigger refuse_some before delete on group_packages for each row
    when (old.group_id in (${sql.lit(bad)}, ${sql.lit(worse)})) execute function refuse_some()`.execute(db)

  const replaced = await replace(before, after)
  const left = await groupsOf(before)
  await sql`drop function refuse_some cascade`.execute(db)
  const rest = await replace(before, after)

  expect(replaced.body).toMatchObject({ succeeded: 7, failed: 2 })
  expect(replaced.body.results.filter(({ status }) => status === 'Failed').map(({ groupId }) => groupId)).toEqual([
    bad,
    worse,
  ])
  expect(JSON.stringify(replaced.raw)).not.toContain('not here')
  expect(left).toEqual([bad, worse])
  expect(rest.body).toMatchObject({
    succeeded: 2,
    failed: 0,
    results: [
      { groupId: bad, distributionOptionsCopied: true },
      { groupId: worse, distributionOptionsCopied: false },
    ],
  })
  expect(await groupsOf(after)).toEqual(groups.map(({ id }) => id))
})

test('two concurrent replacements of one package give each group exactly one of the new packages', async () => {
  const deadlocks = await deadlocksDuring(async () => {
    for (let round = 0; round < 5; round++) {
      const [before, one, two] = [await given.package(), await given.package(), await given.package()]
      const groups = await groupsWith(before, 20)

      const results = await Promise.all([replace(before, one), replace(before, two)])

      expect(results.map(({ status }) => status)).toEqual([200, 200])
      const changed = [...(await groupsOf(one)), ...(await groupsOf(two))]
      expect(changed.sort()).toEqual(groups.map(({ id }) => id))
      expect(await groupsOf(before)).toEqual([])
    }
  })

  expect(deadlocks).toBe(0)
})

test('concurrent replacements in opposite directions leave each group with one package', async () => {
  const [one, two] = [await given.package(), await given.package()]
  const groups = [...(await groupsWith(one, 10)), ...(await groupsWith(two, 10))]
  for (const group of await groupsWith(one, 10)) {
    await given.assignment(group, two, 'package')
    groups.push(group)
  }

  const deadlocks = await deadlocksDuring(async () => {
    const results = await Promise.all([replace(one, two), replace(two, one), replace(one, two)])
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  expect(deadlocks).toBe(0)
  expect([...(await groupsOf(one)), ...(await groupsOf(two))].sort()).toEqual(groups.map(({ id }) => id))
})

test('a replacement neither fails nor blocks while groups are deleted and assignments change', async () => {
  const deadlocks = await deadlocksDuring(async () => {
    for (let round = 0; round < 5; round++) {
      const [before, after] = [await given.package(), await given.package()]
      const groups = await groupsWith(before, 12)
      const [deleted = [], gaining = [], losing = []] = [groups.slice(0, 4), groups.slice(4, 8), groups.slice(8)]

      const results = await Promise.all([
        ...deleted.map(({ id }) => writer.call(deleteGroup, { params: { id } })),
        replace(before, after),
        ...gaining.map(({ id }) => writer.call(assignGroupPackage, { params: { id }, body: { packageId: after.id } })),
        ...losing.map(({ id }) => writer.call(removeGroupPackage, { params: { id, packageId: before.id } })),
      ])

      for (const { status } of results) expect([200, 201, 204, 404]).toContain(status)
      expect(await groupsOf(before)).toEqual([])
      expect(await groupsOf(after)).toEqual(expect.arrayContaining(gaining.map(({ id }) => id)))
    }
  })

  expect(deadlocks).toBe(0)
})
