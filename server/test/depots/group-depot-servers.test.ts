import { describe, expect, test } from 'vitest'
import { getGroupDepotServers } from '../../src/features/depots/api/get-group-depot-servers.ts'
import { setGroupDepotServers } from '../../src/features/depots/api/set-group-depot-servers.ts'
import { fingerprints } from '../world/tables.ts'
import { openDepotWorld } from './depot-world.ts'

const { as, db, demoteDepot, given } = await openDepotWorld()
const reader = as('group.read')
const writer = as('group.write', 'group.read')
const depot = () => given.computer({ role: 'DepotServer' })
const read = (group: { id: string }) => reader.call(getGroupDepotServers, { params: { id: group.id } })
const set = (group: { id: string }, body: { depotServers: number[] } | number[]) =>
  writer.call(setGroupDepotServers, { params: { id: group.id }, body })
const listIds = async (group: { id: string }) => (await read(group)).body.items.map(({ clientId }) => clientId)

describe('the depot servers of a group', () => {
  test('a new group has no depot servers', async () => {
    expect((await read(await given.group())).body).toMatchObject({ items: [], totalCount: 0, hasMore: false })
  })

  test('the depot servers of a group keep their order', async () => {
    const group = await given.group()
    const [one, two, master] = [await depot(), await depot(), await given.computer({ role: 'MasterServer' })]

    const updated = await set(group, { depotServers: [two.id, master.id, one.id] })

    expect(updated).toMatchObject({
      status: 200,
      body: {
        totalCount: 3,
        items: [
          { priority: 1, clientId: two.id, hostname: two.name, domain: two.domain, role: 'DepotServer' },
          { priority: 2, clientId: master.id, role: 'MasterServer' },
          { priority: 3, clientId: one.id },
        ],
      },
    })
    expect((await read(group)).body).toEqual(updated.body)
  })

  test('the depot servers of a group are replaced as a whole, even by a bare list, and cleared by an empty list', async () => {
    const group = await given.group()
    const [one, two] = [await depot(), await depot()]

    await set(group, { depotServers: [one.id, two.id] })
    const replaced = await set(group, [two.id])
    const cleared = await set(group, [])

    expect(replaced.body.items).toMatchObject([{ priority: 1, clientId: two.id }])
    expect(cleared).toMatchObject({ status: 200, body: { items: [] } })
    expect(await listIds(group)).toEqual([])
  })

  test('the depot servers of a group do not include those of its parent', async () => {
    const parent = await given.group()
    const group = await given.group({ parent })
    await set(parent, [(await depot()).id])

    expect(await listIds(group)).toEqual([])
  })

  test('a computer that is no longer a depot disappears from the depot servers of a group', async () => {
    const group = await given.group()
    const [one, two] = [await depot(), await depot()]
    await set(group, [one.id, two.id])

    await demoteDepot(one)

    expect(await listIds(group)).toEqual([two.id])
  })

  test('If-Match prevents replacing depot servers that have changed since they were read', async () => {
    const group = await given.group()
    const { etag = '' } = (await read(group)).headers
    const { id } = await depot()
    const attempt = () =>
      writer.call(setGroupDepotServers, { params: { id: group.id }, body: [id], headers: { 'if-match': etag } })

    const [first, second] = [await attempt(), await attempt()]

    expect(first.status).toBe(200)
    expect(second.status).toBe(412)
    expect((await read(group)).headers.etag).toBe(first.headers.etag)
  })
})

describe('a refused list of depot servers', () => {
  const attempt = async (group: { id: string }, payload: object) => {
    const before = await fingerprints(db)
    const refused = await writer.send({ method: 'PUT', url: `/api/group/${group.id}/depot-servers`, payload })
    expect(await fingerprints(db)).toEqual(before)
    return refused
  }

  test('a list with an unknown computer or one that is not a depot is refused, and nothing changes', async () => {
    const [group, known, client] = [await given.group(), await depot(), await given.computer()]
    await set(group, [known.id])

    for (const id of [client.id, 2_000_000]) {
      expect(await attempt(group, { depotServers: [known.id, id] })).toMatchObject({
        status: 400,
        raw: { errors: [{ name: 'depotServers.1' }] },
      })
      expect(await attempt(group, [id])).toMatchObject({ status: 400, raw: { errors: [{ name: '0' }] } })
    }
  })

  test('a list that contains a computer twice is refused, and nothing changes', async () => {
    const [group, { id }] = [await given.group(), await depot()]

    expect(await attempt(group, { depotServers: [id, id] })).toMatchObject({
      status: 400,
      raw: { errors: [{ name: 'depotServers' }] },
    })
  })

  test.each([
    [['one'], '0'],
    [{ depotServers: ['one'] }, 'depotServers.0'],
    [{}, 'depotServers'],
    [{ depotServers: Array.from({ length: 51 }, (_, index) => index + 1) }, 'depotServers'],
  ])('the body %j is refused, and nothing changes', async (payload, name) => {
    expect(await attempt(await given.group(), payload)).toMatchObject({ status: 400, raw: { errors: [{ name }] } })
  })

  test('the depot servers of an unknown group are answered with 404, and nothing changes', async () => {
    const group = { id: crypto.randomUUID() }

    expect(await attempt(group, { depotServers: [] })).toMatchObject({ status: 404, problem: 'GroupNotFound' })
    expect(await read(group)).toMatchObject({ status: 404, problem: 'GroupNotFound', raw: { groupId: group.id } })
  })

  test.each(['Reinstall', 'EOL', 'Restore'] as const)(
    'the depot servers of a %s group cannot be set, and nothing changes',
    async (kind) => {
      const group = await given.group({ kind, parent: await given.group() })

      expect(await attempt(group, [])).toMatchObject({ status: 409, problem: 'SpecialGroup' })
    },
  )
})
