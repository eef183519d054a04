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

describe('a tag', () => {
  test('is created with a designation and, if wanted, a description', async () => {
    const made = await writer.call(createTag, { body: { designation: 'Branches', description: 'Far away' } })
    const bare = await writer.call(createTag, { body: { designation: 'Bare' } })

    expect(made).toMatchObject({
      status: 201,
      body: { designation: 'Branches', description: 'Far away', isReadOnly: false },
    })
    expect(bare.body.description).toBeNull()
    expect((await reader.call(getTag, { params: { id: made.body.id } })).body).toEqual(made.body)
  })

  test('is renamed and described anew, each alone', async () => {
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

  test('keeps its own designation, also in another case', async () => {
    const { id } = await givenTag(db, 'Servers')

    const renamed = await writer.call(updateTag, { params: { id }, body: { designation: 'SERVERS' } })

    expect(renamed).toMatchObject({ status: 200, body: { designation: 'SERVERS' } })
  })

  test('is taken off all packages and depots when it is deleted', async () => {
    const [tag, kept] = [await givenTag(db), await givenTag(db)]
    const made = await givenPackage(db, { tags: [tag, kept] })
    const { id: clientId } = await given.computer({ role: 'DepotServer' })
    for (const tagId of [tag.id, kept.id]) await writer.call(assignDepotTag, { params: { clientId }, body: { tagId } })

    const deleted = await writer.call(deleteTag, { params: { id: tag.id } })

    expect(deleted.status).toBe(204)
    expect(await reader.call(getTag, { params: { id: tag.id } })).toMatchObject({ status: 404, problem: 'TagNotFound' })
    const left = await reader.call(listDepotTags, { params: { clientId } })
    expect(left.body.items.map(({ id }) => id)).toEqual([kept.id])
    const packages = await reader.call(listTagPackages, { query: { tagId: kept.id } })
    expect(packages.body.items.map(({ id }) => id)).toEqual([made.id])
  })
})

test('the tag Global is there from the start and read-only', () => {
  expect(global).toMatchObject({ designation: 'Global', isReadOnly: true })
})

test('tags are listed in the order of their ids, page by page', async () => {
  const made = [await givenTag(db), await givenTag(db), await givenTag(db)]

  const all = await reader.call(listTags, { query: { top: 1000 } })
  const second = await reader.call(listTags, { query: { skip: 1, top: 1 } })

  const ids = all.body.items.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(ids.slice(-3)).toEqual(made.map(({ id }) => id))
  expect(second.body).toMatchObject({ skip: 1, top: 1, totalCount: ids.length, hasMore: true, items: [{ id: ids[1] }] })
})

describe('the packages of a tag', () => {
  test('are found by its id and by its designation in any case', async () => {
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

  test('are of exactly one tag, so that none or two are refused', async () => {
    const none = await reader.call(listTagPackages)
    const both = await reader.call(listTagPackages, { query: { tagId: 1, tag: 'Global' } })

    for (const refused of [none, both])
      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'tagId' }] } })
  })

  test.each([{ tagId: 2_000_000 }, { tag: 'nobody has it' }, { tag: '%' }])(
    'are not looked for without a tag: %j',
    async (query) => {
      expect(await reader.call(listTagPackages, { query })).toMatchObject({ status: 404, problem: 'TagNotFound' })
    },
  )

  test('cannot be asked for with a designation of more than 255 characters', async () => {
    expect(await reader.call(listTagPackages, { query: { tag: 'x'.repeat(256) } })).toMatchObject({ status: 400 })
  })
})

describe('refused, with nothing changed, is', () => {
  const unchanged = async <T>(attempt: () => Promise<T>): Promise<T> => {
    const before = await fingerprints(db)
    const answered = await attempt()
    expect(await fingerprints(db)).toEqual(before)
    return answered
  }

  test('a designation that another tag has, in any case', async () => {
    await givenTag(db, 'Taken')
    const { id } = await givenTag(db)

    const [made, renamed] = [
      await unchanged(() => writer.call(createTag, { body: { designation: 'tAKEN' } })),
      await unchanged(() => writer.call(updateTag, { params: { id }, body: { designation: 'TAKEN' } })),
    ]

    for (const refused of [made, renamed])
      expect(refused).toMatchObject({ status: 409, problem: 'DuplicateDesignation' })
  })

  test.each([{ designation: 'Worldwide' }, { description: 'Mine' }])('a change of Global: %j', async (body) => {
    const refused = await unchanged(() => writer.call(updateTag, { params: { id: global?.id ?? 0 }, body }))

    expect(refused).toMatchObject({ status: 409, problem: 'ReadOnlyTag', raw: { tagId: global?.id } })
  })

  test('the deletion of Global', async () => {
    const refused = await unchanged(() => writer.call(deleteTag, { params: { id: global?.id ?? 0 } }))

    expect(refused).toMatchObject({ status: 409, problem: 'ReadOnlyTag' })
  })

  test('an unknown tag', async () => {
    const params = { id: 2_000_000 }

    const updated = await unchanged(() => writer.call(updateTag, { params, body: { description: 'x' } }))
    const deleted = await unchanged(() => writer.call(deleteTag, { params }))

    for (const refused of [updated, deleted]) expect(refused).toMatchObject({ status: 404, problem: 'TagNotFound' })
  })

  test.each([{}, { designation: '' }, { designation: ' \t' }, { designation: 'x'.repeat(256) }])(
    'the body %j of a new tag',
    async (payload) => {
      const refused = await unchanged(() => writer.send({ method: 'POST', url: '/api/tags', payload }))

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )

  test.each([{}, { designation: null, description: null }, { designation: '' }, { isReadOnly: true }])(
    'the change %j',
    async (payload) => {
      const { id } = await givenTag(db)

      const refused = await unchanged(() => writer.send({ method: 'PATCH', url: `/api/tags/${id}`, payload }))

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    },
  )

  test('a change of a version that is no longer current', async () => {
    const { id } = await givenTag(db)
    const { headers } = await reader.call(getTag, { params: { id } })
    await writer.call(updateTag, { params: { id }, body: { description: 'newer' } })

    const refused = await unchanged(() =>
      writer.call(deleteTag, { params: { id }, headers: { 'if-match': headers.etag ?? '' } }),
    )

    expect(refused).toMatchObject({ status: 412 })
  })
})
