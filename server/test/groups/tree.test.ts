import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'
import { anyAction, perform } from './tree-actions.ts'
import { expectConsistentTrees, expectMembers, expectTrees, readGroups, TreeModel } from './tree-model.ts'

const world = await openWorld()
const { as, db, given } = world
const writer = as('group.write')
const type = 'ConfigurationGroups' as const

const moveGroup = (id: string, parentId: string) =>
  db.updateTable('groups').set({ parent_id: parentId }).where('id', '=', id).execute()

test('after any sequence of changes, ancestors, paths, members and the listed computers equal those of a simple model', async () => {
  const computers = await Promise.all(Array.from({ length: 6 }, async () => (await given.computer()).id))

  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 10, maxLength: 40, size: 'max' }), async (actions) => {
      await db.deleteFrom('groups').where('parent_id', 'is not', null).execute()
      await db.deleteFrom('group_computers').execute()
      const model = new TreeModel(await readGroups(db))

      for (const action of actions) {
        const { actual, expected, groupId } = await perform({ world, model, computers }, action)
        const listed = await as('group.read').call(listGroupComputers, {
          params: { id: groupId },
          query: { includeDescendants: true },
        })

        expect(actual).toEqual(expected)
        expect(listed.body.items.map(({ id }) => id)).toEqual(model.computersBelow(groupId))
        await expectTrees(db, model)
        await expectMembers(db, model)
      }
    }),
    { numRuns: modelRuns(3) },
  )
}, 120_000)

describe('moving a group', () => {
  test('a moved group takes its subtree along', async () => {
    const [from, to] = [await given.group(), await given.group()]
    const moved = await given.group({ parent: from })
    const leaf = await given.group({ parent: await given.group({ parent: moved }) })
    const computer = await given.computer()
    await given.member(leaf, computer)

    await moveGroup(moved.id, to.id)

    const [source, target] = await Promise.all(
      [from, to].map(({ id }) =>
        as('group.read').call(listGroupComputers, { params: { id }, query: { includeDescendants: true } }),
      ),
    )
    expect(source?.body.totalCount).toBe(0)
    expect(target?.body.items.map(({ id }) => id)).toEqual([computer.id])
    await expectConsistentTrees(db)
  })

  test('a group cannot be moved below itself, at any depth', async () => {
    const group = await given.group()
    const leaf = await given.group({ parent: await given.group({ parent: group }) })

    for (const { id } of [group, leaf]) await expect(moveGroup(group.id, id)).rejects.toThrow('below itself')

    await expectConsistentTrees(db)
  })

  test('when two groups are moved below each other at once, one move succeeds', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await given.group(), await given.group()]

      const moves = await Promise.allSettled([moveGroup(one.id, two.id), moveGroup(two.id, one.id)])

      expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
    await expectConsistentTrees(db)
  })
})

test('groups created below one that is renamed, moved and deleted in part at the same time end up in the right places', async () => {
  for (let round = 0; round < 4; round++) {
    const [from, to] = [await given.group(), await given.group()]
    const moving = await given.group({ parent: from })
    const inner = await given.group({ parent: moving })
    const doomed = await given.group({ parent: moving })
    const creations = Array.from({ length: 12 }, (_, n) => {
      const parent = [moving, inner, doomed][n % 3] ?? moving
      return writer.call(createGroup, { body: { name: `new ${n}`, type, parentId: parent.id } })
    })

    const results = await Promise.all([
      ...creations,
      writer.call(updateGroup, { params: { id: moving.id }, body: { name: `renamed ${round}` } }),
      writer.call(updateGroup, { params: { id: inner.id }, body: { name: 'renamed too' } }),
      writer.call(updateGroup, { params: { id: to.id }, body: { name: `target ${round}` } }),
      writer.call(deleteGroup, { params: { id: doomed.id } }),
      moveGroup(moving.id, to.id).then(() => ({ status: 200, problem: undefined })),
      moveGroup(inner.id, from.id).then(() => ({ status: 200, problem: undefined })),
    ])

    for (const { problem, status } of results) expect([200, 201, 204, 'ParentNotFound']).toContain(problem ?? status)
  }
  await expectConsistentTrees(db)
}, 60_000)
