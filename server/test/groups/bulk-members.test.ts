import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { listStatements } from '../world/statements.ts'
import { deadlocksDuring } from './deadlocks.ts'

const { app, as, db, given } = await openWorld()
const writer = as('group.write')

const add = (group: { id: string }, computerIds: number[]) =>
  writer.call(addGroupComputers, { params: { id: group.id }, body: { computerIds } })
const remove = (group: { id: string }, computerIds: number[]) =>
  writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds } })
const membersOf = async (group: { id: string }) =>
  (await as('group.read').call(listGroupComputers, { params: { id: group.id }, query: { top: 1000 } })).body.items.map(
    ({ id }) => id,
  )

async function insertComputers(count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into computers (name, domain, is_domain, uuid)
    select 'pc-' || gen_random_uuid(), 'corp.example.org', true, gen_random_uuid() from generate_series(1, ${count})
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

const shuffled = (ids: number[]) => ids.toSorted((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009))

test('five hundred computers can be added and removed with one request each', async () => {
  const group = await given.group()
  const ids = await insertComputers(500)

  const added = await add(group, ids)
  const members = await membersOf(group)
  const removed = await remove(group, ids)

  expect(added.body).toMatchObject({ succeeded: 500, failed: 0 })
  expect(members).toEqual(ids)
  expect(removed.body).toMatchObject({ succeeded: 500, failed: 0 })
  expect(removed.body.results.map(({ clientId }) => clientId)).toEqual(ids)
  expect(await membersOf(group)).toEqual([])
})

test('the URL of a DELETE may contain five hundred ids of maximum length', async () => {
  const group = await given.group()
  const token = await app.services.tokens.issue((await given.localPrincipal({ roles: ['group.write'] })).id)
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const query = new URLSearchParams(
    Array.from({ length: 500 }, (_, n): [string, string] => ['computerIds', String(2_147_483_647 - n)]),
  )

  const removed = await fetch(`${address}/api/group/${group.id}/computers?${query}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })

  expect(removed.status).toBe(200)
  expect(await removed.json()).toMatchObject({ succeeded: 500, failed: 0 })
})

test('adding and removing take the same statements for two computers and for five hundred', async () => {
  const lists: string[][] = []
  for (const count of [2, 500]) {
    const [group, other] = [await given.group(), await given.group()]
    const ids = await insertComputers(count)
    await add(other, ids.slice(0, count / 2))
    const statements = await listStatements(async () => {
      await add(group, ids)
      await remove(group, ids)
    })
    lists.push(statements)
  }

  expect(lists[0]?.length).toBeGreaterThan(5)
  expect(lists[1]).toEqual(lists[0])
})

test('when three requests add the same computers to three configuration groups at once, each computer ends up in one', async () => {
  for (let round = 0; round < 3; round++) {
    const groups = [await given.group(), await given.group(), await given.group()]
    const ids = await insertComputers(500)

    const results: Awaited<ReturnType<typeof add>>[] = []
    const deadlocks = await deadlocksDuring(async () => {
      results.push(...(await Promise.all(groups.map((group, n) => add(group, n % 2 ? shuffled(ids) : ids)))))
    })

    const members = (await Promise.all(groups.map(membersOf))).flat()
    const statuses = results.flatMap(({ body }) => body.results.map(({ status }) => status))
    expect(members.toSorted((a, b) => a - b)).toEqual(ids)
    expect(statuses.filter((status) => status === 'Added')).toHaveLength(500)
    expect(statuses.filter((status) => status === 'AlreadyInConfigurationGroup')).toHaveLength(1000)
    expect(deadlocks).toBe(0)
  }
})

test('when several requests add the same computers to one group at once, each computer is added once', async () => {
  const group = await given.group()
  const ids = await insertComputers(200)

  const results = await Promise.all(Array.from({ length: 6 }, (_, n) => add(group, n % 2 ? shuffled(ids) : ids)))

  const statuses = results.flatMap(({ body }) => body.results.map(({ status }) => status))
  expect(statuses.filter((status) => status === 'Added')).toHaveLength(200)
  expect(statuses.filter((status) => status === 'AlreadyMember')).toHaveLength(1000)
  expect(await membersOf(group)).toEqual(ids)
})

test('concurrent additions and removals all succeed and leave each computer in at most one configuration group', async () => {
  const [one, two] = [await given.group(), await given.group()]
  const ids = await insertComputers(100)

  const results = await Promise.all(
    Array.from({ length: 4 }, () => [
      add(one, ids),
      remove(one, shuffled(ids)),
      add(two, shuffled(ids)),
      remove(two, ids),
    ]).flat(),
  )

  const members = [...(await membersOf(one)), ...(await membersOf(two))]
  expect(results.map(({ status }) => status)).toEqual(Array(16).fill(200))
  expect(new Set(members).size).toBe(members.length)
})

test('a computer that is deleted while computers are added does not affect the others', async () => {
  const group = await given.group()
  const ids = await insertComputers(300)

  const [added] = await Promise.all([
    add(group, ids),
    ...ids
      .slice(100, 110)
      .map((id) => as('computer.write').call(deleteComputer, { params: { id }, query: { force: true } })),
  ])

  expect(added.status).toBe(200)
  for (const { clientId, status } of added.body.results)
    expect(ids.slice(100, 110).includes(clientId) ? ['Added', 'NotFound'] : ['Added']).toContain(status)
  expect(await membersOf(group)).toHaveLength(290)
})
