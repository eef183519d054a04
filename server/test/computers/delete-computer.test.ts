import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const reader = as('computer.read')

const remove = (id: number, query: { force?: boolean } = {}) => writer.call(deleteComputer, { params: { id }, query })
const exists = async (id: number) => (await reader.call(getComputer, { params: { id } })).status === 200
const groupExists = async ({ id }: { id: string }) =>
  (await db.selectFrom('groups').select('id').where('id', '=', id).execute()).length === 1

test('a computer without a group is deleted with everything of its own', async () => {
  const { id } = await given.computer({ lastSeen: new Date() })
  const [variable, list] = [await given.variable(), await given.variable({ kind: 'Collection' })]
  await db.insertInto('computer_variables').values({ computer_id: id, variable_id: variable.id, value: 'x' }).execute()
  await db.insertInto('variable_collection_entries').values({ computer_id: id, variable_id: list.id }).execute()
  await db.insertInto('bios_records').values({ computer_id: id, serial_number: 'S' }).execute()

  const deleted = await remove(id)

  expect(deleted).toMatchObject({ status: 204, raw: undefined })
  expect(await remove(id)).toMatchObject({ status: 404, problem: 'ComputerNotFound', raw: { clientId: id } })
  expect(await reader.call(getComputer, { params: { id } })).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from computer_variables where computer_id = ${id})
      + (select count(*) from variable_collection_entries where computer_id = ${id})
      + (select count(*) from computer_contacts where computer_id = ${id})
      + (select count(*) from bios_records where computer_id = ${id}) as left`.execute(db)
  expect(rows).toEqual([{ left: 0 }])
})

test.each([
  ['a configuration group', { tree: 'ConfigurationGroups' as const }],
  ['an assignment group', { tree: 'AssignmentGroups' as const }],
  ['a reinstall group', { kind: 'Reinstall' as const }],
])('a member of %s is deleted only by force, and the refusal changes nothing', async (_, kind) => {
  const [group, computer] = [await given.group(kind), await given.computer()]
  await given.member(group, computer)
  const before = await fingerprints(db)

  const refused = await remove(computer.id)
  const after = await fingerprints(db)
  const forced = await remove(computer.id, { force: true })

  expect(refused).toMatchObject({ status: 409, problem: 'Assigned', raw: { clientId: computer.id } })
  expect(after).toEqual(before)
  expect(forced.status).toBe(204)
  expect(await exists(computer.id)).toBe(false)
})

test('the master server is never deleted, by force or without, assigned or not', async () => {
  const [group, master] = [await given.group(), await given.computer({ role: 'MasterServer' })]
  const free = await remove(master.id, { force: true })
  await given.member(group, master)
  const before = await fingerprints(db)

  const results = [free, await remove(master.id), await remove(master.id, { force: true })]

  for (const refused of results) expect(refused).toMatchObject({ status: 409, problem: 'MasterServer' })
  expect(await fingerprints(db)).toEqual(before)
})

test('a pending reinstall of this computer alone goes with it; groups that others need stay', async () => {
  const parent = await given.group()
  const [own, shared, ended, restored] = [
    await given.group({ parent, kind: 'Reinstall' }),
    await given.group({ parent, kind: 'Reinstall' }),
    await given.group({ parent, kind: 'EOL' }),
    await given.group({ parent, kind: 'Restore' }),
  ]
  const [computer, other] = [await given.computer(), await given.computer()]
  for (const group of [parent, own, shared, ended, restored]) await given.member(group, computer)
  await given.member(shared, other)

  const deleted = await remove(computer.id, { force: true })

  expect(deleted.status).toBe(204)
  expect(await groupExists(own)).toBe(false)
  expect(await Promise.all([parent, shared, ended, restored].map(groupExists))).toEqual([true, true, true, true])
  expect(await exists(other.id)).toBe(true)
})

test('computers that leave one reinstall group at the same time take it with them', async () => {
  const group = await given.group({ kind: 'Reinstall' })
  const members = await Promise.all(Array.from({ length: 10 }, () => given.computer()))
  for (const computer of members) await given.member(group, computer)

  const results = await Promise.all(members.map(({ id }) => remove(id, { force: true })))

  expect(results.map(({ status }) => status)).toEqual(members.map(() => 204))
  expect(await groupExists(group)).toBe(false)
})

test('the groups of a computer are those it is itself in, without the special ones', async () => {
  const above = await given.group({ name: 'Above' })
  const desks = await given.group({ parent: above, name: 'Desks 100%', description: 'By the window' })
  const wave = await given.group({ tree: 'AssignmentGroups', name: 'Wave_1' })
  const computer = await given.computer()
  for (const group of [desks, wave]) await given.member(group, computer)
  for (const kind of ['Reinstall', 'EOL', 'Restore'] as const)
    await given.member(await given.group({ parent: desks, kind }), computer)
  const list = async (query: object = {}) =>
    (await reader.call(listComputerGroups, { params: { id: computer.id }, query })).body

  expect(await list()).toEqual({
    items: [
      { groupId: desks.id, name: 'Desks 100%', assignedToTree: 'ConfigurationGroups', description: 'By the window' },
      { groupId: wave.id, name: 'Wave_1', assignedToTree: 'AssignmentGroups', description: null },
    ],
    skip: 0,
    top: 50,
    totalCount: 2,
    hasMore: false,
  })
  expect((await list({ nameContains: 'DESK' })).items.map(({ name }) => name)).toEqual(['Desks 100%'])
  expect((await list({ nameContains: '%' })).items.map(({ name }) => name)).toEqual(['Desks 100%'])
  expect((await list({ nameContains: '_' })).items.map(({ name }) => name)).toEqual(['Wave_1'])
  expect(await list({ top: 1, skip: 1 })).toMatchObject({ items: [{ name: 'Wave_1' }], totalCount: 2 })
})

test('the groups of an unknown computer are 404, and a filter of 256 characters is 400', async () => {
  const unknown = await reader.call(listComputerGroups, { params: { id: 2_000_000_000 } })
  const { id } = await given.computer()
  const long = await reader.call(listComputerGroups, { params: { id }, query: { nameContains: 'x'.repeat(256) } })

  expect(unknown).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(long).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'nameContains' }] } })
})
