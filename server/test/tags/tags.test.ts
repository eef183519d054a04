import { describe, expect, test } from 'vitest'
import { assignDepotTag } from '../../src/features/depots/api/assign-depot-tag.ts'
import { listDepotTags } from '../../src/features/depots/api/list-depot-tags.ts'
import { listTagPackages } from '../../src/features/packages/api/list-tag-packages.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { deleteTag } from '../../src/features/tags/api/delete-tag.ts'
import { getTag } from '../../src/features/tags/api/get-tag.ts'
import { listTags } from '../../src/features/tags/api/list-tags.ts'
import { updateTag } from '../../src/features/tags/api/update-tag.ts'
import { givenPackage, givenTag } from '../depots/given-packages.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read')
const writer = as('package.write')
const [global] = (await reader.call(listTags, { query: { top: 1 } })).body.items

describe('changing tags', () => {
  test('a tag is created with a designation and an optional description', async () => {
    const described = await writer.call(createTag, { body: { designation: 'Branches', description: 'Far away' } })
    const bare = await writer.call(createTag, { body: { designation: 'Bare' } })

    expect(described).toMatchObject({
      status: 201,
      body: { designation: 'Branches', description: 'Far away', isReadOnly: false },
    })
    expect(bare.body.description).toBeNull()
    expect((await reader.call(getTag, { params: { id: described.body.id } })).body).toEqual(described.body)
  })

  test('the designation and the description of a tag can be changed separately', async () => {
    const { id } = await givenTag(db)

    const described = await writer.call(updateTag, { params: { id }, body: { description: 'One' } })
    const renamed = await writer.call(updateTag, {
      params: { id },
      body: { designation: 'Renamed', description: null },
    })
    const cleared = await writer.call(updateTag, { params: { id }, body: { description: '' } })

    expect(described.body).toMatchObject({ description: 'One' })
    expect(renamed.body).toMatchObject({ designation: 'Renamed', description: 'One' })
    expect(cleared.body).toMatchObject({ designation: 'Renamed', description: null })
    expect((await reader.call(getTag, { params: { id } })).body).toEqual(cleared.body)
  })

  test('a tag can be renamed to its own designation in another case', async () => {
    const { id } = await givenTag(db, 'Servers')

    const renamed = await writer.call(updateTag, { params: { id }, body: { designation: 'SERVERS' } })

    expect(renamed).toMatchObject({ status: 200, body: { designation: 'SERVERS' } })
  })

  test('deleting a tag removes it from all packages and depots', async () => {
    const [tag, kept] = [await givenTag(db), await givenTag(db)]
    const tagged = await givenPackage(db, { tags: [tag, kept] })
    const { id: clientId } = await given.computer({ role: 'DepotServer' })
    for (const tagId of [tag.id, kept.id]) await writer.call(assignDepotTag, { params: { clientId }, body: { tagId } })

    const deleted = await writer.call(deleteTag, { params: { id: tag.id } })

    expect(deleted.status).toBe(204)
    expect(await reader.call(getTag, { params: { id: tag.id } })).toMatchObject({ status: 404, problem: 'TagNotFound' })
    const remaining = await reader.call(listDepotTags, { params: { clientId } })
    expect(remaining.body.items.map(({ id }) => id)).toEqual([kept.id])
    const packages = await reader.call(listTagPackages, { query: { tagId: kept.id } })
    expect(packages.body.items.map(({ id }) => id)).toEqual([tagged.id])
  })
})

test('every installation has the read-only tag Global', () => {
  expect(global).toMatchObject({ designation: 'Global', isReadOnly: true })
})

test('tags are listed in pages, ordered by id', async () => {
  const tags = [await givenTag(db), await givenTag(db), await givenTag(db)]

  const all = await reader.call(listTags, { query: { top: 1000 } })
  const second = await reader.call(listTags, { query: { skip: 1, top: 1 } })

  const ids = all.body.items.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(ids.slice(-3)).toEqual(tags.map(({ id }) => id))
  expect(second.body).toMatchObject({ skip: 1, top: 1, totalCount: ids.length, hasMore: true, items: [{ id: ids[1] }] })
})

describe('listing the packages of a tag', () => {
  test('the packages of a tag are found by its id and by its designation in any case', async () => {
    const tag = await givenTag(db, 'Kiosk')
    const packages = [await givenPackage(db, { tags: [tag] }), await givenPackage(db, { tags: [tag] })]
    await givenPackage(db, { tags: [await givenTag(db)] })

    const [byId, byName] = [
      await reader.call(listTagPackages, { query: { tagId: tag.id } }),
      await reader.call(listTagPackages, { query: { tag: 'kIOSK' } }),
    ]

    expect(byId.body.items.map(({ id }) => id)).toEqual(packages.map(({ id }) => id).toSorted())
    expect(byName.body).toEqual(byId.body)
    expect(byId.body.items[0]).toMatchObject({ version: '1.0', operational: false, os: ['Windows 11'] })
  })

  test('listing the packages of a tag requires either its id or its designation', async () => {
    const none = await reader.call(listTagPackages)
    const both = await reader.call(listTagPackages, { query: { tagId: 1, tag: 'Global' } })

    for (const refused of [none, both])
      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'tagId' }] } })
  })

  test.each([{ tagId: 2_000_000 }, { tag: 'no such tag' }, { tag: '%' }])(
    'listing the packages of the unknown tag %j answers 404',
    async (query) => {
      expect(await reader.call(listTagPackages, { query })).toMatchObject({ status: 404, problem: 'TagNotFound' })
    },
  )

  test('listing the packages of a tag refuses a designation of more than 255 characters', async () => {
    expect(await reader.call(listTagPackages, { query: { tag: 'x'.repeat(256) } })).toMatchObject({ status: 400 })
  })
})

describe('invalid changes of tags', () => {
  const expectUnchanged = async <T>(attempt: () => Promise<T>): Promise<T> => {
    const before = await fingerprints(db)
    const answer = await attempt()
    expect(await fingerprints(db)).toEqual(before)
    return answer
  }

  test('the designation of another tag in any case is refused with 409, and nothing changes', async () => {
    await givenTag(db, 'Taken')
    const { id } = await givenTag(db)

    const [created, renamed] = [
      await expectUnchanged(() => writer.call(createTag, { body: { designation: 'tAKEN' } })),
      await expectUnchanged(() => writer.call(updateTag, { params: { id }, body: { designation: 'TAKEN' } })),
    ]

    for (const refused of [created, renamed])
      expect(refused).toMatchObject({ status: 409, problem: 'DuplicateDesignation' })
  })

  test.each([{ designation: 'Worldwide' }, { description: 'Mine' }])(
    'changing the tag Global with %j is refused with 409, and nothing changes',
    async (body) => {
      const refused = await expectUnchanged(() => writer.call(updateTag, { params: { id: global?.id ?? 0 }, body }))

      expect(refused).toMatchObject({ status: 409, problem: 'ReadOnlyTag', raw: { tagId: global?.id } })
    },
  )

  test('deleting the tag Global is refused with 409, and nothing changes', async () => {
    const refused = await expectUnchanged(() => writer.call(deleteTag, { params: { id: global?.id ?? 0 } }))

    expect(refused).toMatchObject({ status: 409, problem: 'ReadOnlyTag' })
  })

  test('changing or deleting an unknown tag answers 404, and nothing changes', async () => {
    const params = { id: 2_000_000 }

    const updated = await expectUnchanged(() => writer.call(updateTag, { params, body: { description: 'x' } }))
    const deleted = await expectUnchanged(() => writer.call(deleteTag, { params }))

    for (const refused of [updated, deleted]) expect(refused).toMatchObject({ status: 404, problem: 'TagNotFound' })
  })

  test.each([{}, { designation: '' }, { designation: ' \t' }, { designation: 'x'.repeat(256) }])(
    'creating a tag with the body %j is refused with 400, and nothing changes',
    async (payload) => {
      const refused = await expectUnchanged(() => writer.send({ method: 'POST', url: '/api/tags', payload }))

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )

  test.each([{}, { designation: null, description: null }, { designation: '' }, { isReadOnly: true }])(
    'updating a tag with the body %j is refused with 400, and nothing changes',
    async (payload) => {
      const { id } = await givenTag(db)

      const refused = await expectUnchanged(() => writer.send({ method: 'PATCH', url: `/api/tags/${id}`, payload }))

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )

  test('deleting a tag with the ETag of an older version is refused with 412, and nothing changes', async () => {
    const { id } = await givenTag(db)
    const { headers } = await reader.call(getTag, { params: { id } })
    await writer.call(updateTag, { params: { id }, body: { description: 'newer' } })

    const refused = await expectUnchanged(() =>
      writer.call(deleteTag, { params: { id }, headers: { 'if-match': headers.etag ?? '' } }),
    )

    expect(refused).toMatchObject({ status: 412 })
  })
})
