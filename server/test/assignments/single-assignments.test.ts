import { describe, expect, test } from 'vitest'
import { assignGroupAgentTemplate } from '../../src/features/assignments/api/groups/assign-group-agent-template.ts'
import { assignGroupOsImageSku } from '../../src/features/assignments/api/groups/assign-group-os-image-sku.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { singleKinds, unknownId } from './single-kinds.ts'

const world = await openWorld()
const { as, db, given } = world
const writer = as('group.write')

const notInherited = { alreadyEffective: false, inheritedFromGroupId: null }

describe.each(singleKinds(world))('$name:', ({ make, get, assign, remove, shown, unknown, problems }) => {
  test('assigning an object is answered with 201 the first time and with 200 after that', async () => {
    const [{ id: groupId }, ids] = [await given.group(), await make()]

    const [first, second] = [await assign(groupId, ids), await assign(groupId, ids)]

    expect(first).toMatchObject({ status: 201, raw: { groupId, ...ids, alreadyAssigned: false, ...notInherited } })
    expect(second).toMatchObject({ status: 200, raw: { groupId, ...ids, alreadyAssigned: true, ...notInherited } })
    expect(await get(groupId)).toMatchObject({ status: 200, raw: shown(ids) })
  })

  test('assigning a second object replaces the first', async () => {
    const [{ id: groupId }, old, ids] = [await given.group(), await make(), await make()]
    await assign(groupId, old)

    const replaced = await assign(groupId, ids)

    expect(replaced).toMatchObject({ status: 201, raw: { ...ids, alreadyAssigned: false } })
    expect((await get(groupId)).raw).toMatchObject(shown(ids))
    expect(await remove(groupId, old)).toMatchObject({ status: 404, problem: problems.other })
  })

  test('two objects that are assigned concurrently leave the group with one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: groupId } = await given.group()
      const candidates = [await make(), await make()]

      const results = await Promise.all(candidates.map((ids) => assign(groupId, ids)))

      expect(results.map(({ status }) => status)).toEqual([201, 201])
      const assigned = (await get(groupId)).raw
      const winners = candidates.filter((ids) =>
        Object.entries(shown(ids)).every(([key, value]) => matches(assigned, key, value)),
      )
      expect(winners).toHaveLength(1)
    }
  })

  test('of ten concurrent requests to assign the same object, exactly one is answered with 201', async () => {
    const [{ id: groupId }, ids] = [await given.group(), await make()]

    const results = await Promise.all(Array.from({ length: 10 }, () => assign(groupId, ids)))

    expect(results.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  })

  test('with skipIfInherited nothing is stored if the group inherits the same object', async () => {
    const top = await given.group()
    const group = await given.group({ parent: await given.group({ parent: top }) })
    const ids = await make()
    await assign(top.id, ids)

    const skipped = await assign(group.id, ids, true)

    expect(skipped).toMatchObject({
      status: 200,
      raw: {
        groupId: group.id,
        ...ids,
        alreadyAssigned: false,
        alreadyEffective: true,
        inheritedFromGroupId: top.id,
      },
    })
    expect(await get(group.id)).toMatchObject({ status: 404, problem: problems.none })
  })

  test('without skipIfInherited the assignment is stored even if the group inherits the same object', async () => {
    const parent = await given.group()
    const [group, ids] = [await given.group({ parent }), await make()]
    await assign(parent.id, ids)

    const stored = await assign(group.id, ids)

    expect(stored).toMatchObject({ status: 201, raw: notInherited })
    expect((await get(group.id)).raw).toMatchObject(shown(ids))
  })

  test('with skipIfInherited the assignment is stored if a nearer group or the group itself has another object', async () => {
    const top = await given.group()
    const parent = await given.group({ parent: top })
    const [below, own] = [await given.group({ parent }), await given.group({ parent: top })]
    const [ids, other] = [await make(), await make()]
    await assign(top.id, ids)
    await assign(parent.id, other)
    await assign(own.id, other)

    const results = [await assign(below.id, ids, true), await assign(own.id, ids, true)]

    for (const result of results) expect(result).toMatchObject({ status: 201, raw: notInherited })
    for (const { id } of [below, own]) expect((await get(id)).raw).toMatchObject(shown(ids))
  })

  test('with skipIfInherited repeating a direct assignment is answered as already assigned', async () => {
    const [{ id: groupId }, ids] = [await given.group(), await make()]
    await assign(groupId, ids)

    const repeated = await assign(groupId, ids, true)

    expect(repeated).toMatchObject({ status: 200, raw: { alreadyAssigned: true, ...notInherited } })
  })

  test('reading the object of a group without one is answered with 404, even if the group inherits one', async () => {
    const parent = await given.group()
    const group = await given.group({ parent })
    await assign(parent.id, await make())

    expect(await get(group.id)).toMatchObject({ status: 404, problem: problems.none, raw: { groupId: group.id } })
    expect(await get(unknownId)).toMatchObject({ status: 404, problem: 'GroupNotFound' })
  })

  test('removing deletes only the assignment of this object in this group', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const [ids, another] = [await make(), await make()]
    for (const { id } of [group, other]) await assign(id, ids)
    const before = await fingerprints(db)

    const refused = [await remove(group.id, another), await remove(group.id, unknown), await remove(unknownId, ids)]
    expect(await fingerprints(db)).toEqual(before)
    const removed = await remove(group.id, ids)

    expect(refused.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      `404 ${problems.other}`,
      `404 ${problems.other}`,
      '404 GroupNotFound',
    ])
    expect(removed).toMatchObject({ status: 204, raw: undefined })
    expect(await get(group.id)).toMatchObject({ status: 404 })
    expect((await get(other.id)).raw).toMatchObject(shown(ids))
    expect(await remove(group.id, ids)).toMatchObject({ status: 404, problem: problems.other })
  })

  test('removing an object honours If-Match', async () => {
    const [{ id: groupId }, ids] = [await given.group(), await make()]
    await assign(groupId, ids)
    const { etag = '' } = (await get(groupId)).headers

    const stale = await remove(groupId, ids, { 'if-match': '"stale"' })
    const removed = await remove(groupId, ids, { 'if-match': etag })
    const late = await remove(groupId, ids, { 'if-match': etag })

    expect(stale).toMatchObject({ status: 412, problem: 'PreconditionFailed' })
    expect(removed.status).toBe(204)
    expect(late).toMatchObject({ status: 404, problem: problems.none })
  })

  test('assigning an unknown object, or to an unknown group, is answered with 404', async () => {
    const [group, special] = [await given.group(), await given.group({ kind: 'EOL' })]
    const before = await fingerprints(db)

    const answers = [
      await assign(group.id, unknown),
      await assign(special.id, unknown),
      await assign(unknownId, unknown),
    ]

    expect(answers.map(({ status, problem }) => `${status} ${problem}`)).toEqual([
      `404 ${problems.unknown}`,
      `404 ${problems.unknown}`,
      '404 GroupNotFound',
    ])
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'assigning an object to a %s group is refused with 409',
    async (groupKind) => {
      const [{ id: groupId }, ids] = [await given.group({ kind: groupKind }), await make()]
      const before = await fingerprints(db)

      const refused = await assign(groupId, ids)

      expect(refused).toMatchObject({ status: 409, problem: 'SpecialGroup', raw: { groupId } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test('an assignment without ids in the body is refused with 400', async () => {
    const { id: groupId } = await given.group()
    const before = await fingerprints(db)

    const refused = await assign(groupId, {})

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: Object.keys(unknown)[0] }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('assigning objects while their group is deleted causes no deadlock', async () => {
    const deadlocks = await deadlocksDuring(async () => {
      for (let round = 0; round < 3; round++) {
        const [{ id: groupId }, ids] = [await given.group(), await make()]
        const results = await Promise.all([
          assign(groupId, ids),
          writer.call(deleteGroup, { params: { id: groupId } }),
          assign(groupId, await make()),
        ])
        for (const { status } of results) expect([201, 204, 404]).toContain(status)
      }
    })

    expect(deadlocks).toBe(0)
  })
})

function matches(shown: unknown, key: string, value: unknown): boolean {
  return JSON.stringify((shown as Record<string, unknown>)[key]) === JSON.stringify(value)
}

describe('packages of another type', () => {
  test.each([
    [
      'agent template',
      (id: string, packageId: string) => writer.call(assignGroupAgentTemplate, { params: { id }, body: { packageId } }),
    ],
    [
      'OS image SKU',
      (id: string, packageId: string) =>
        writer.call(assignGroupOsImageSku, { params: { id }, body: { packageId, skuId: 1 } }),
    ],
  ])('assigning another type of package as %s is refused with 409', async (_, attempt) => {
    const [group, software] = [await given.group(), await given.package()]
    const before = await fingerprints(db)

    const refused = await attempt(group.id, software.id)

    expect(refused).toMatchObject({
      status: 409,
      problem: 'WrongEndpointForType',
      raw: { packageId: software.id, endpoint: '/api/group/{id}/packages' },
    })
    expect(await fingerprints(db)).toEqual(before)
  })
})

test('assigning a SKU of another operating system is answered with 404', async () => {
  const [group, image, other] = [await given.group(), await given.osImage(), await given.osImage()]
  const skuId = other.skus[0]?.id ?? 0
  const before = await fingerprints(db)

  const refused = await writer.call(assignGroupOsImageSku, {
    params: { id: group.id },
    body: { packageId: image.id, skuId },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'OsImageSkuNotFound', raw: { packageId: image.id, skuId } })
  expect(await fingerprints(db)).toEqual(before)
})
