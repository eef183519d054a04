import { describe, expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getComputerVariable } from '../../src/features/variables/api/computers/get-computer-variable.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { listVariableDefinitions } from '../../src/features/variables/api/definitions/list-variable-definitions.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'
import { type OwnerId, ownersIn } from './owners.ts'

const world = await openWorld()
const { as, db, given } = world
const owners = await ownersIn(world)

describe.each(owners)('variable values of a $kind', ({ kind, unknownId, notFound, make, list, search, set }) => {
  const extra = kind === 'group' ? { forced: false } : {}

  test(`a value set on a ${kind} is returned and listed`, async () => {
    const [id, variable] = [await make(), await given.variable()]

    const written = await set(id, variable.id, { value: 'proxy:8080', schedule: '2001-01-01T00:00:00Z' })

    const item = {
      varId: variable.id,
      designation: variable.designation,
      dottedName: variable.dotted_name,
      value: 'proxy:8080',
      schedule: '2001-01-01T00:00:00Z',
      isSecret: false,
      ...extra,
    }
    expect(written).toMatchObject({ status: 200, body: item })
    expect((await list(id)).body).toEqual({ items: [item], skip: 0, top: 50, totalCount: 1, hasMore: false })
  })

  test(`setting a value on a ${kind} again replaces it`, async () => {
    const [id, variable] = [await make(), await given.variable()]
    await set(id, variable.id, { value: 'old' })

    await set(id, variable.id, { value: 'new' })

    expect((await list(id)).body.items).toMatchObject([{ value: 'new' }])
  })

  test(`an empty text is a value of a ${kind}`, async () => {
    const [id, variable] = [await make(), await given.variable({ default_value: 'default' })]

    const written = await set(id, variable.id, { value: '' })

    const found = await search(id, { varId: variable.id, includeInherited: true })
    expect(written.body.value).toBe('')
    expect(found.body.items).toMatchObject([{ value: '', source: kind }])
  })

  test.each([{ value: null }, {}, { schedule: '2001-02-03' }])(
    `the body %j deletes the value of a ${kind}`,
    async (body) => {
      const [id, variable] = [await make(), await given.variable({ default_value: 'default' })]
      await set(id, variable.id, { value: 'own', schedule: '2001-01-01T00:00:00Z' })

      const written = await set(id, variable.id, body)

      const found = await search(id, { varId: variable.id, includeInherited: true })
      expect(written).toMatchObject({
        status: 200,
        body: { varId: variable.id, value: null, schedule: null, ...extra },
      })
      expect((await list(id)).body.items).toEqual([])
      expect(found.body.items).toMatchObject([{ value: 'default', source: 'default', sourceGroupId: null }])
    },
  )

  test(`deleting a value that a ${kind} does not have succeeds`, async () => {
    const [id, variable] = [await make(), await given.variable()]

    const written = await set(id, variable.id, {})

    expect(written).toMatchObject({ status: 200, body: { value: null } })
  })

  test(`a missing schedule keeps that of the ${kind}, and null clears it`, async () => {
    const [id, variable] = [await make(), await given.variable()]
    await set(id, variable.id, { value: '1', schedule: '2001-01-01T00:00:00Z' })

    const kept = await set(id, variable.id, { value: '2' })
    const cleared = await set(id, variable.id, { value: '3', schedule: null })

    expect(kept.body).toMatchObject({ value: '2', schedule: '2001-01-01T00:00:00Z' })
    expect(cleared.body).toMatchObject({ value: '3', schedule: null })
  })

  test(`values of a ${kind} have at most 65,536 characters`, async () => {
    const [id, variable] = [await make(), await given.variable()]
    const fitting = await set(id, variable.id, { value: 'v'.repeat(65_536) })
    const before = await fingerprints(db)

    const refused = await set(id, variable.id, { value: 'v'.repeat(65_537) })

    expect([fitting.status, refused.status]).toEqual([200, 400])
    expect(await fingerprints(db)).toEqual(before)
  })

  test.each(['Category', 'Collection', 'UserDefined'] as const)(
    `a variable of the kind %s cannot be set on a ${kind}`,
    async (variableKind) => {
      const [id, variable] = [await make(), await given.variable({ kind: variableKind })]
      const before = await fingerprints(db)

      const refused = [await set(id, variable.id, { value: 'x' }), await set(id, variable.id, {})]

      for (const answer of refused)
        expect(answer).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ name: 'varId' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )

  test(`a child of a collection cannot be set on a ${kind} outside of an entry`, async () => {
    const [id, parent] = [await make(), await given.variable({ kind: 'Collection' })]
    const child = await given.variable({ parent })
    const before = await fingerprints(db)

    const refused = await set(id, child.id, { value: 'x' })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'path', name: 'varId' }] } })
    expect(await fingerprints(db)).toEqual(before)
  })

  test(`an unknown ${kind} or variable answers 404 and changes nothing`, async () => {
    const [id, variable] = [await make(), await given.variable()]
    const before = await fingerprints(db)

    const refused = [
      await list(unknownId),
      await search(unknownId, {}),
      await set(unknownId, variable.id, { value: 'x' }),
      await set(id, 2_000_000_000, { value: 'x' }),
    ]

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(refused.map(({ problem }) => problem)).toEqual([notFound, notFound, notFound, 'VariableNotFound'])
    expect(refused[3]?.raw).toMatchObject({ varId: 2_000_000_000 })
    expect(await fingerprints(db)).toEqual(before)
  })

  test(`a search that names a variable without an own value of the ${kind} returns it with null`, async () => {
    const [id, variable] = [await make(), await given.variable({ default_value: 'default' })]

    const [byId, byName, listed] = [
      await search(id, { varId: variable.id }),
      await search(id, { name: variable.designation }),
      await list(id),
    ]

    const item = { varId: variable.id, value: null, source: null, sourceGroupId: null }
    expect(byId.body.items).toMatchObject([item])
    expect(byName.body.items).toMatchObject([item])
    expect(listed.body.items).toEqual([])
  })

  test(`a search for values of a ${kind} by name compares the whole designation or dotted name, regardless of case`, async () => {
    const id = await make()
    const [one, two] = [await given.variable({ kind: 'Category' }), await given.variable({ kind: 'Category' })]
    const name = `Port${one.designation}`
    const first = await given.variable({ parent: one, designation: name })
    const second = await given.variable({ parent: two, designation: name.toLowerCase() })
    const names = async (text: string) =>
      (await search(id, { name: text, includeInherited: true })).body.items.map(({ varId }) => varId)

    expect(await names(name.toUpperCase())).toEqual([first.id, second.id])
    expect(await names(`${two.designation}.${name}`.toUpperCase())).toEqual([second.id])
    expect(await names(name.slice(0, -1))).toEqual([])
    expect(await names(`${name.slice(0, -1)}%`)).toEqual([])
    expect(await names('')).toEqual([])
  })

  test(`a search on a ${kind} for an unknown variable, or one without a single value, is empty`, async () => {
    const id = await make()
    const collection = await given.variable({ kind: 'Collection' })
    const others = [
      collection,
      await given.variable({ kind: 'Category' }),
      await given.variable({ kind: 'UserDefined' }),
      await given.variable({ parent: collection }),
    ]

    for (const varId of [2_000_000_000, 0, -1, ...others.map((variable) => variable.id)])
      for (const includeInherited of [false, true])
        expect(await search(id, { varId, includeInherited })).toMatchObject({ status: 200, body: { totalCount: 0 } })
  })

  test(`a search on a ${kind} takes a name or a varId but not both, and ignores null`, async () => {
    const [id, variable] = [await make(), await given.variable()]

    const refused = await search(id, { name: variable.designation, varId: variable.id })
    const allowed = await search(id, { name: null, varId: variable.id })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'varId' }] } })
    expect(allowed.body.items).toMatchObject([{ varId: variable.id }])
  })

  test(`a search on a ${kind} without a name returns own values, or with inheritance every scalar variable`, async () => {
    const [id, variable] = [await make(), await given.variable()]
    await set(id, variable.id, { value: 'own' })

    const direct = await search(id, {})
    const inherited = await search(id, { includeInherited: true }, { top: 1000 })

    const definitions = (await as('package.read').call(listVariableDefinitions, { query: { top: 1000 } })).body.items
    const collections = definitions.filter((one) => one.kind === 'Collection').map(({ varId }) => varId)
    const scalars = definitions.filter((one) => one.kind === 'Scalar' && !collections.includes(one.parentId ?? 0))
    expect(direct.body.items).toMatchObject([{ varId: variable.id, value: 'own', source: kind }])
    expect(inherited.body.totalCount).toBe(scalars.length)
    expect(inherited.body.items).toContainEqual(direct.body.items[0])
  })

  test(`lists and searches of values of a ${kind} are ordered by varId and returned in pages`, async () => {
    const id = await make()
    const variables = [await given.variable(), await given.variable(), await given.variable()]
    for (const variable of variables.toReversed()) await set(id, variable.id, { value: 'x' })

    const page = await list(id, { skip: 1, top: 1 })
    const found = await search(id, {}, { top: 2 })

    expect(page.body).toMatchObject({ items: [{ varId: variables[1]?.id }], totalCount: 3, hasMore: true })
    expect(found.body.items.map(({ varId }) => varId)).toEqual(variables.slice(0, 2).map((variable) => variable.id))
    expect(found.headers.link).toContain('cursor=')
  })

  test(`concurrent changes of one value of a ${kind} all succeed and leave one value`, async () => {
    const [id, variable] = [await make(), await given.variable()]

    const answers = await Promise.all(['1', '2', '3', '4'].map((value) => set(id, variable.id, { value })))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await list(id)).body.items).toHaveLength(1)
  })

  test(`a value set while its ${kind} is deleted is refused or deleted too`, async () => {
    const variable = await given.variable()
    const ids = await Promise.all(Array.from({ length: 10 }, make))

    const answers = await Promise.all(
      ids.flatMap((id) => [set(id, variable.id, { value: 'x' }), deleteOwner(id).then(() => undefined)]),
    )

    const statuses = answers.flatMap((answer) => (answer ? [answer.status] : []))
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
    for (const id of ids) expect((await list(id)).problem).toBe(notFound)
  })
})

async function deleteOwner(id: OwnerId): Promise<void> {
  if (typeof id === 'number') await as('computer.write').call(deleteComputer, { params: { id } })
  else await as('group.write').call(deleteGroup, { params: { id } })
}

test('of two people who change a value at the same time, the second is asked to look again', async () => {
  const variable = await given.variable()
  const params = { id: (await given.computer()).id, varId: variable.id }
  const { body: unset, headers } = await as('computer.read').call(getComputerVariable, { params })
  const set = (value: string, etag: string | undefined) =>
    as('computer.write').call(setComputerVariable, { params, body: { value }, headers: { 'if-match': etag ?? '' } })

  const first = await set('one', headers.etag)
  const second = await set('two', headers.etag)

  const { body: stored, headers: current } = await as('computer.read').call(getComputerVariable, { params })
  expect(unset).toMatchObject({ varId: variable.id, value: null })
  expect([first.status, second.status, stored.value]).toEqual([200, 412, 'one'])
  expect((await set('three', current.etag)).status).toBe(200)
})

test('only a variable that has a single value has a value of the computer itself to read', async () => {
  const { id } = await given.computer()
  const category = await given.variable({ kind: 'Category' })
  const read = (varId: number) => as('computer.read').call(getComputerVariable, { params: { id, varId } })

  for (const varId of [category.id, 2_000_000_000])
    expect(await read(varId)).toMatchObject({ status: 404, problem: 'VariableNotFound' })
})
