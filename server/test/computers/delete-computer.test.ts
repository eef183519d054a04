import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { createComputerCollectionEntry } from '../../src/features/variables/api/computers/create-computer-collection-entry.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('computer.write')
const reader = as('computer.read')

const deleteById = (id: number, query: { force?: boolean } = {}) =>
  writer.call(deleteComputer, { params: { id }, query })
const exists = async (id: number) => (await reader.call(getComputer, { params: { id } })).status === 200
const groupExists = async ({ id }: { id: string }) =>
  (await as('group.read').call(getGroup, { params: { id } })).status === 200

test('a computer without a group is deleted with its values, collection entries, contacts and BIOS record', async () => {
  const { id } = await given.computer({ lastSeen: new Date() })
  const [variable, collection] = [await given.variable(), await given.variable({ kind: 'Collection' })]
  await writer.call(setComputerVariable, { params: { id, varId: variable.id }, body: { value: 'x' } })
  await writer.call(createComputerCollectionEntry, { params: { id, varId: collection.id }, body: { values: {} } })
  await writer.call(updateComputer, { params: { id }, body: { serialNumber: 'S' } })

  const deleted = await deleteById(id)

  expect(deleted).toMatchObject({ status: 204, raw: undefined })
  expect(await deleteById(id)).toMatchObject({ status: 404, problem: 'ComputerNotFound', raw: { clientId: id } })
  expect(await reader.call(getComputer, { params: { id } })).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  const { rows } = await sql<{ remaining: number }>`
    select (select count(*) from computer_variables where computer_id = ${id})
      + (select count(*) from variable_collection_entries where computer_id = ${id})
      + (select count(*) from computer_contacts where computer_id = ${id})
      + (select count(*) from bios_records where computer_id = ${id}) as remaining`.execute(db)
  expect(rows).toEqual([{ remaining: 0 }])
})

test.each([
  ['a configuration group', { tree: 'ConfigurationGroups' as const }],
  ['an assignment group', { tree: 'AssignmentGroups' as const }],
  ['a reinstall group', { kind: 'Reinstall' as const }],
])('a member of %s is deleted only with force, and a refusal changes nothing', async (_, kind) => {
  const [group, computer] = [await given.group(kind), await given.computer()]
  await given.member(group, computer)
  const before = await fingerprints(db)

  const refused = await deleteById(computer.id)
  const after = await fingerprints(db)
  const forced = await deleteById(computer.id, { force: true })

  expect(refused).toMatchObject({ status: 409, problem: 'Assigned', raw: { clientId: computer.id } })
  expect(after).toEqual(before)
  expect(forced.status).toBe(204)
  expect(await exists(computer.id)).toBe(false)
})

test('a depot that a group lists is deleted only with force', async () => {
  const [group, depot] = [await given.group(), await given.computer({ role: 'DepotServer' })]
  await db
    .insertInto('group_depot_servers')
    .values({ group_id: group.id, computer_id: depot.id, priority: 1 })
    .execute()

  const refused = await deleteById(depot.id)
  const forced = await deleteById(depot.id, { force: true })

  expect(refused).toMatchObject({ status: 409, problem: 'Assigned' })
  expect(forced.status).toBe(204)
})

test('the master server cannot be deleted, with or without force, whether it is in a group or not', async () => {
  const [group, master] = [await given.group(), await given.computer({ role: 'MasterServer' })]
  const free = await deleteById(master.id, { force: true })
  await given.member(group, master)
  const before = await fingerprints(db)

  const results = [free, await deleteById(master.id), await deleteById(master.id, { force: true })]

  for (const refused of results) expect(refused).toMatchObject({ status: 409, problem: 'MasterServer' })
  expect(await fingerprints(db)).toEqual(before)
})

test('deleting a computer deletes a Reinstall group that it alone is in, and no other group', async () => {
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

  const deleted = await deleteById(computer.id, { force: true })

  expect(deleted.status).toBe(204)
  expect(await groupExists(own)).toBe(false)
  expect(await Promise.all([parent, shared, ended, restored].map(groupExists))).toEqual([true, true, true, true])
  expect(await exists(other.id)).toBe(true)
})

test('deleting all members of a Reinstall group at the same time deletes the group', async () => {
  const group = await given.group({ kind: 'Reinstall' })
  const members = await Promise.all(Array.from({ length: 10 }, () => given.computer()))
  for (const computer of members) await given.member(group, computer)

  const results = await Promise.all(members.map(({ id }) => deleteById(id, { force: true })))

  expect(results.map(({ status }) => status)).toEqual(members.map(() => 204))
  expect(await groupExists(group)).toBe(false)
})

test('the groups of a computer are those that it is a direct member of, without special groups', async () => {
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

test('listing the groups of an unknown computer answers 404, and a filter of 256 characters answers 400', async () => {
  const unknown = await reader.call(listComputerGroups, { params: { id: 2_000_000_000 } })
  const { id } = await given.computer()
  const long = await reader.call(listComputerGroups, { params: { id }, query: { nameContains: 'x'.repeat(256) } })

  expect(unknown).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  expect(long).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'nameContains' }] } })
})
