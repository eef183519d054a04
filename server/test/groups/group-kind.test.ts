import { expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroupKind } from '../../src/features/groups/api/get-group-kind.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { setGroupKind } from '../../src/features/groups/api/set-group-kind.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const writer = as('group.write', 'group.read')

const setKind = ({ id }: { id: string }, kind: 'Ordinary' | 'EOL' | 'Restore') =>
  writer.call(setGroupKind, { params: { id }, body: { kind } })

const add = async (group: { id: string }, computer: { id: number }) => {
  const body = { computerIds: [computer.id] }
  const added = await writer.call(addGroupComputers, { params: { id: group.id }, body })
  return added.body.results[0]?.status
}

test.each(['EOL', 'Restore'] as const)(
  'a group of the kind %s keeps its members and cannot be changed',
  async (kind) => {
    const [group, member] = [await given.group(), await given.computer()]
    await given.member(group, member)
    const software = await given.package()
    const params = { id: group.id }
    const child = { name: 'Below', type: 'ConfigurationGroups' as const, parentId: group.id }

    expect(await setKind(group, kind)).toMatchObject({ status: 200, body: { groupId: group.id, kind } })

    expect((await as('group.read').call(getGroupKind, { params })).body.kind).toBe(kind)
    expect((await as('group.read').call(listGroupComputers, { params })).body.items).toMatchObject([{ id: member.id }])
    expect(await writer.call(updateGroup, { params, body: { name: 'New' } })).toMatchObject({ problem: 'SpecialGroup' })
    expect(await writer.call(deleteGroup, { params, query: { force: true } })).toMatchObject({
      problem: 'SpecialGroup',
    })
    expect(await writer.call(createGroup, { body: child })).toMatchObject({
      status: 409,
      problem: 'ParentSpecialGroup',
    })
    expect(await add(group, await given.computer())).toBe('SpecialGroup')
    const assigned = await writer.call(assignGroupPackage, { params, body: { packageId: software.id } })
    expect(assigned).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  },
)

test('a group that is ordinary again can be changed', async () => {
  const [group, member] = [await given.group(), await given.computer()]
  await given.member(group, member)
  await setKind(group, 'Restore')

  expect(await setKind(group, 'Ordinary')).toMatchObject({ status: 200, body: { kind: 'Ordinary' } })

  expect(await writer.call(updateGroup, { params: { id: group.id }, body: { name: 'Renamed' } })).toMatchObject({
    status: 200,
  })
  expect(await add(await given.group(), member)).toBe('AlreadyInConfigurationGroup')
})

test('a group stays special while one of its computers is in another configuration group', async () => {
  const [group, member] = [await given.group(), await given.computer()]
  await given.member(group, member)
  await setKind(group, 'EOL')
  expect(await add(await given.group(), member)).toBe('Added')

  expect(await setKind(group, 'Ordinary')).toMatchObject({ status: 409, problem: 'AlreadyInConfigurationGroup' })
})

test('the kind of roots, of groups of other trees, of Reinstall groups and of groups with subgroups cannot be set', async () => {
  const parent = await given.group()
  await given.group({ parent })
  const refused = [
    [await given.root('AssignmentGroups'), 'SystemGroup'],
    [await given.group({ tree: 'UserGroups' }), 'NotEditableTree'],
    [await given.group({ kind: 'Reinstall' }), 'SpecialGroup'],
    [parent, 'HasSubgroups'],
  ] as const

  for (const [group, problem] of refused) expect(await setKind(group, 'EOL')).toMatchObject({ status: 409, problem })
})
