import { describe, expect, test } from 'vitest'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { ownersIn } from './owners.ts'

const world = await openWorld()
const { as, db, given } = world
const owners = await ownersIn(world)

/** A collection whose entries require a Host, while Port and Note have defaults. */
async function givenPrinters() {
  const parent = await given.variable({ kind: 'Collection' })
  const host = await given.variable({ parent, designation: 'Host' })
  const port = await given.variable({ parent, designation: 'Port', default_value: '9100' })
  const note = await given.variable({ parent, designation: 'Note', default_value: '' })
  return { ...parent, host, port, note }
}

const setDefault = (collection: { designation: string }, child: string, value: string) =>
  as('package.write').call(applyCatalog, {
    body: {
      catalog: {
        variableDefinitions: [
          { name: collection.designation, kind: 'Collection', children: [{ name: child, default: value }] },
        ],
      },
    },
  })

const valuesOf = ({ values }: { values: { value: string | null }[] }) => values.map(({ value }) => value)

describe.each(owners)('collection entries of a $kind', (owner) => {
  const { kind, make, entries, addEntry, changeEntry, removeEntry, unknownId, notFound } = owner

  test(`an entry of a ${kind} has one value for every child, ordered by varId`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]

    const created = await addEntry(id, collection.id, { Note: 'hall', Port: '1', Host: 'h' })

    const { host, port, note } = collection
    const expected = [
      [host, 'h'],
      [port, '1'],
      [note, 'hall'],
    ] as const
    expect(created.status).toBe(200)
    expect(created.body.values).toEqual(
      expected.map(([child, value]) => ({
        varId: child.id,
        designation: child.designation,
        dottedName: child.dotted_name,
        value,
        schedule: null,
        isSecret: false,
      })),
    )
    expect((await entries(id, collection.id)).body).toMatchObject({ items: [created.body], totalCount: 1 })
  })

  test(`a child that is missing in a new entry of a ${kind} gets its default, which is stored`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]

    const created = await addEntry(id, collection.id, { Host: 'h' })
    await setDefault(collection, 'Port', '515')

    expect(valuesOf(created.body)).toEqual(['h', '9100', ''])
    expect((await entries(id, collection.id)).body.items.map(valuesOf)).toEqual([['h', '9100', '']])
  })

  test(`a new entry of a ${kind} requires every child without a default`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const before = await fingerprints(db)

    const refused = await addEntry(id, collection.id, { Port: '1' })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'values.Host' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test(`an entry of a ${kind} with an unknown child, a repeated child or a value that is not a text is refused`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const { collectionId } = (await addEntry(id, collection.id, { Host: 'h' })).body
    const wrong = [
      { values: { Host: 'h', Colour: 'red' }, name: 'values.Colour' },
      { values: { Host: 'h', HOST: 'g' }, name: 'values.HOST' },
      { values: { Host: null as unknown as string }, name: 'values.Host' },
      { values: { Host: 1 as unknown as string }, name: 'values.Host' },
    ]
    const before = await fingerprints(db)

    for (const { values, name } of wrong) {
      const error = { status: 400, problem: 'InvalidRequest', raw: { errors: [{ in: 'body', name }] } }
      expect(await addEntry(id, collection.id, values)).toMatchObject(error)
      expect(await changeEntry(id, collection.id, collectionId, values)).toMatchObject(error)
    }
    expect(await fingerprints(db)).toEqual(before)
  })

  test(`the children in an entry of a ${kind} are named regardless of case`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const created = await addEntry(id, collection.id, { HOST: 'h', port: '1' })

    const changed = await changeEntry(id, collection.id, created.body.collectionId, { nOtE: 'n' })

    expect(valuesOf(changed.body)).toEqual(['h', '1', 'n'])
  })

  test(`an update of an entry of a ${kind} changes only the children that it names`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const [first, second] = [
      (await addEntry(id, collection.id, { Host: 'one', Port: '1' })).body,
      (await addEntry(id, collection.id, { Host: 'two', Port: '2' })).body,
    ]

    const changed = await changeEntry(id, collection.id, first.collectionId, { Port: '', Note: 'n' })

    expect(changed).toMatchObject({ status: 200, body: { collectionId: first.collectionId } })
    expect(valuesOf(changed.body)).toEqual(['one', '', 'n'])
    expect((await entries(id, collection.id)).body.items).toEqual([changed.body, second])
  })

  test(`an update of an entry of a ${kind} without values returns the entry unchanged`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const created = await addEntry(id, collection.id, { Host: 'h' })

    const changed = await changeEntry(id, collection.id, created.body.collectionId, {})

    expect(changed).toMatchObject({ status: 200, body: created.body })
  })

  test(`a child that is defined later has no value in existing entries of a ${kind} until it is set`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const { collectionId } = (await addEntry(id, collection.id, { Host: 'h' })).body
    await given.variable({ parent: collection, designation: 'Tray', default_value: 'A4' })

    const [before] = (await entries(id, collection.id)).body.items
    const changed = await changeEntry(id, collection.id, collectionId, { Tray: 'A5' })

    expect(before && valuesOf(before)).toEqual(['h', '9100', '', null])
    expect(valuesOf(changed.body)).toEqual(['h', '9100', '', 'A5'])
  })

  test(`deleting an entry of a ${kind} deletes all its values`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const kept = (await addEntry(id, collection.id, { Host: 'kept' })).body
    const { collectionId } = (await addEntry(id, collection.id, { Host: 'gone' })).body

    const removed = await removeEntry(id, collection.id, collectionId)

    const again = await removeEntry(id, collection.id, collectionId)
    const left = await db
      .selectFrom('variable_collection_values')
      .select('value')
      .where('entry_id', '=', collectionId)
      .execute()
    expect(removed.status).toBe(204)
    expect((await entries(id, collection.id)).body.items).toEqual([kept])
    expect(again).toMatchObject({ status: 404, problem: 'CollectionEntryNotFound', raw: { collectionId } })
    expect(left).toEqual([])
  })

  test(`an entry of a ${kind} is found only with its own owner and variable`, async () => {
    const [id, collection, otherId, otherCollection] = [
      await make(),
      await givenPrinters(),
      await make(),
      await givenPrinters(),
    ]
    const { collectionId } = (await addEntry(id, collection.id, { Host: 'h' })).body
    const otherKind = owners.find((candidate) => candidate.kind !== kind) ?? owner
    const otherKindId = await otherKind.make()
    await otherKind.addEntry(otherKindId, collection.id, { Host: 's' })
    const before = await fingerprints(db)

    const refused = [
      await changeEntry(otherId, collection.id, collectionId, { Host: 'x' }),
      await removeEntry(otherId, collection.id, collectionId),
      await changeEntry(id, otherCollection.id, collectionId, { Host: 'x' }),
      await removeEntry(id, otherCollection.id, collectionId),
      await otherKind.changeEntry(otherKindId, collection.id, collectionId, { Host: 'x' }),
      await otherKind.removeEntry(otherKindId, collection.id, collectionId),
      await changeEntry(id, collection.id, 2_000_000_000, {}),
    ]

    for (const answer of refused) expect(answer).toMatchObject({ status: 404, problem: 'CollectionEntryNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test(`requests for entries of an unknown ${kind} or variable answer 404 and change nothing`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const before = await fingerprints(db)

    const withoutOwner = [
      await entries(unknownId, collection.id),
      await addEntry(unknownId, collection.id, { Host: 'h' }),
      await changeEntry(unknownId, collection.id, 1, {}),
      await removeEntry(unknownId, collection.id, 1),
    ]
    const withoutVariable = [
      await entries(id, 2_000_000_000),
      await addEntry(id, 2_000_000_000, { Host: 'h' }),
      await changeEntry(id, 2_000_000_000, 1, {}),
      await removeEntry(id, 2_000_000_000, 1),
    ]

    for (const answer of withoutOwner) expect(answer).toMatchObject({ status: 404, problem: notFound })
    for (const answer of withoutVariable) expect(answer).toMatchObject({ status: 404, problem: 'VariableNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Scalar', 'Category', 'UserDefined'] as const)(
    `a variable of the kind %s has no entries on a ${kind}`,
    async (variableKind) => {
      const [id, variable] = [await make(), await given.variable({ kind: variableKind })]
      const before = await fingerprints(db)

      const refused = [
        await entries(id, variable.id),
        await addEntry(id, variable.id, { Host: 'h' }),
        await changeEntry(id, variable.id, 1, {}),
        await removeEntry(id, variable.id, 1),
      ]

      for (const answer of refused)
        expect(answer).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ name: 'varId' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test(`entries of a ${kind} are ordered by collectionId and returned in pages`, async () => {
    const [id, collection] = [await make(), await givenPrinters()]
    const ids: number[] = []
    for (const Host of ['c', 'a', 'b']) ids.push((await addEntry(id, collection.id, { Host })).body.collectionId)

    const page = await entries(id, collection.id, { skip: 1, top: 1 })

    expect(page.body).toMatchObject({ items: [{ collectionId: ids[1] }], totalCount: 3, hasMore: true })
  })
})

test('collection entries are not inherited', async () => {
  const [computers, groups] = owners
  const collection = await givenPrinters()
  const group = await given.group()
  const computer = await given.computer()
  await given.member(group, computer)
  const below = await given.group({ parent: group })
  await groups?.addEntry(group.id, collection.id, { Host: 'h' })

  const ofComputer = await computers?.entries(computer.id, collection.id)
  const ofGroup = await groups?.entries(below.id, collection.id)

  expect([ofComputer?.body.totalCount, ofGroup?.body.totalCount]).toEqual([0, 0])
})

test('a repeated request with the same idempotency key adds one collection entry', async () => {
  const [computers] = owners
  const [computer, collection] = [await given.computer(), await givenPrinters()]
  const add = () =>
    as('computer.write').send({
      method: 'POST',
      url: `/api/computer/${computer.id}/variables/${collection.id}/collection`,
      headers: { 'idempotency-key': `entry-${collection.id}` },
      payload: { values: { Host: 'h' } },
    })

  const [first, second] = [await add(), await add()]

  expect(second.raw).toEqual(first.raw)
  expect((await computers?.entries(computer.id, collection.id))?.body.totalCount).toBe(1)
})
