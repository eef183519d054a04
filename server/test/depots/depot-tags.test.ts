import { describe, expect, test } from 'vitest'
import { assignDepotTag } from '../../src/features/depots/api/assign-depot-tag.ts'
import { listDepotTags } from '../../src/features/depots/api/list-depot-tags.ts'
import { removeDepotTag } from '../../src/features/depots/api/remove-depot-tag.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { givenTag } from './given-packages.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')
const writer = as('package.write')
const listTagIds = async (clientId: number) =>
  (await reader.call(listDepotTags, { params: { clientId } })).body.items.map(({ id }) => id)

test.each(['DepotServer', 'MasterServer'])('a %s has a tag once, even if it is assigned twice', async (role) => {
  const { id: clientId } = await given.computer({ role })
  const tag = await givenTag(db)

  const first = await writer.call(assignDepotTag, { params: { clientId }, body: { tagId: tag.id } })
  const again = await writer.call(assignDepotTag, { params: { clientId }, body: { tagId: tag.id } })

  expect(first).toMatchObject({ status: 201, body: { id: tag.id, designation: tag.designation } })
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await listTagIds(clientId)).toEqual([tag.id])
})

test('removing a tag from one depot leaves it on other depots', async () => {
  const [one, other] = [await given.computer({ role: 'DepotServer' }), await given.computer({ role: 'DepotServer' })]
  const tag = await givenTag(db)
  for (const { id: clientId } of [one, other])
    await writer.call(assignDepotTag, { params: { clientId }, body: { tagId: tag.id } })

  const removed = await writer.call(removeDepotTag, { params: { clientId: one.id, tagId: tag.id } })

  expect(removed.status).toBe(204)
  expect(await listTagIds(one.id)).toEqual([])
  expect(await listTagIds(other.id)).toEqual([tag.id])
})

describe('depot tags', () => {
  const attemptAll = async (clientId: number, tagId: number) => {
    const before = await fingerprints(db)
    const answers = {
      listed: await reader.call(listDepotTags, { params: { clientId } }),
      assigned: await writer.call(assignDepotTag, { params: { clientId }, body: { tagId } }),
      removed: await writer.call(removeDepotTag, { params: { clientId, tagId } }),
    }
    expect(await fingerprints(db)).toEqual(before)
    return answers
  }

  test('tags of an unknown computer are answered with 404, and nothing changes', async () => {
    const tag = await givenTag(db)

    for (const answer of Object.values(await attemptAll(2_000_000, tag.id)))
      expect(answer).toMatchObject({ status: 404, problem: 'ComputerNotFound', raw: { clientId: 2_000_000 } })
  })

  test('tags of a computer that is not a depot are answered with 404, and nothing changes', async () => {
    const { id } = await given.computer()
    const tag = await givenTag(db)

    for (const answer of Object.values(await attemptAll(id, tag.id)))
      expect(answer).toMatchObject({ status: 404, problem: 'NotADepot', raw: { clientId: id } })
  })

  test('assigning or removing an unknown tag is answered with 404, and nothing changes', async () => {
    const { id } = await given.computer({ role: 'DepotServer' })

    const { assigned, removed } = await attemptAll(id, 2_000_000)

    expect(assigned).toMatchObject({ status: 404, problem: 'TagNotFound' })
    expect(removed).toMatchObject({ status: 404, problem: 'TagNotAssigned' })
  })
})
