import { expect, test } from 'vitest'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { getGroupPage } from '../../src/features/fleet/api/get-group-page.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { getGroupVariable } from '../../src/features/variables/api/groups/get-group-variable.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('group.read')
const writer = as('group.read', 'group.write')

const move = (group: { id: string }, parent: { id: string }, query = {}, headers = {}) =>
  writer.call(moveGroup, { params: { id: group.id }, body: { parentId: parent.id }, query, headers })

test('a dry run of a move shows what the group gains and loses, and the move does it', async () => {
  const [from, to] = [await given.group({ name: 'From' }), await given.group({ name: 'To' })]
  const group = await given.group({ parent: from, name: 'Moved' })
  await given.member(await given.group({ parent: group }), await given.computer())
  const [kept, lost, gained] = [await given.package(), await given.package(), await given.package()]
  for (const [owner, software] of [
    [from, lost],
    [to, gained],
    [from, kept],
    [group, kept],
  ] as const)
    await given.assignment(owner, software, 'package')
  const [proxy, password] = [await given.variable(), await given.variable({ is_secret: true })]
  for (const [owner, value] of [
    [from, 'old'],
    [to, 'new'],
  ] as const)
    for (const { id: varId } of [proxy, password])
      await writer.call(setGroupVariable, { params: { id: owner.id, varId }, body: { value } })
  await writer.call(setDistributionOptions, { params: { id: to.id }, body: { commands: ['Update'] } })

  const preview = await move(group, to, { dryRun: true })

  expect(preview.body).toMatchObject({
    previousPath: 'Configuration/From/Moved',
    path: 'Configuration/To/Moved',
    groups: 2,
    gained: [{ objectId: gained.id, originGroupId: to.id }],
    lost: [{ objectId: lost.id, originGroupId: from.id }],
    changesDistributionOptions: true,
  })
  expect(preview.body.variables).toHaveLength(2)
  expect(preview.body.variables).toContainEqual(
    expect.objectContaining({ varId: proxy.id, previousValue: 'old', value: 'new' }),
  )
  expect(preview.body.variables).toContainEqual(
    expect.objectContaining({ varId: password.id, isSecret: true, previousValue: null, value: null }),
  )
  const params = { id: group.id }
  expect((await reader.call(getGroupPage, { params })).body.parentId).toBe(from.id)
  expect(await move(group, to, { expectedCount: 2 })).toMatchObject({ status: 409 })
  expect((await move(group, to, { expectedCount: 1 })).body).toEqual(preview.body)
  const { body: page } = await reader.call(getGroupPage, { params })
  expect(page).toMatchObject({ parentId: to.id, path: 'Configuration/To/Moved', computers: 1 })
  expect(page.assignments.map(({ objectId }) => objectId).sort()).toEqual([kept.id, gained.id].sort())
})

test('a move shows neither the place of a group nor what it inherits to a principal that may not read groups', async () => {
  const [from, to] = [await given.group(), await given.group()]
  const group = await given.group({ parent: from })
  await given.assignment(to, await given.package(), 'package')
  const { id: varId } = await given.variable()
  await writer.call(setGroupVariable, { params: { id: to.id, varId }, body: { value: 'proxy.example.org' } })

  const answer = await as('group.write').call(moveGroup, { params: { id: group.id }, body: { parentId: to.id } })

  expect(answer).toMatchObject({ status: 200, raw: undefined, headers: { 'muster-required-role': 'group.read' } })
})

test('a group is moved neither below itself nor to another tree, and special groups and roots stay where they are', async () => {
  const group = await given.group()
  const below = await given.group({ parent: await given.group({ parent: group }) })
  const other = await given.group({ name: 'Same name' })
  await given.group({ parent: other, name: 'Twin' })
  const refused = [
    [group, group, 'GroupBelowItself'],
    [group, below, 'GroupBelowItself'],
    [group, { id: '00000000-0000-4000-8000-000000000000' }, 'ParentNotFound'],
    [group, await given.group({ kind: 'EOL' }), 'ParentSpecialGroup'],
    [await given.group({ kind: 'Restore' }), group, 'SpecialGroup'],
    [await given.root('ConfigurationGroups'), group, 'SystemGroup'],
    [await given.group({ name: 'twin' }), other, 'DuplicateName'],
  ] as const

  for (const [moved, parent, problem] of refused) expect(await move(moved, parent)).toMatchObject({ problem })
  expect(await move(group, await given.group({ tree: 'AssignmentGroups' }))).toMatchObject({ status: 400 })
})

test('neither a move nor a value overwrites what somebody else has changed meanwhile', async () => {
  const group = await given.group()
  const params = { id: group.id }
  const { id: varId } = await given.variable()
  const variable = { params: { ...params, varId } }
  const set = (value: string, etag?: string) =>
    writer.call(setGroupVariable, { ...variable, body: { value }, headers: etag ? { 'if-match': etag } : {} })
  const ofGroup = (await reader.call(getGroup, { params })).headers.etag ?? ''
  const ofValue = (await reader.call(getGroupVariable, variable)).headers.etag ?? ''

  await writer.call(updateGroup, { params, body: { description: 'Changed' } })
  const first = await set('theirs', ofValue)

  expect(first.status).toBe(200)
  expect(await move(group, await given.group(), {}, { 'if-match': ofGroup })).toMatchObject({ status: 412 })
  expect(await set('mine', ofValue)).toMatchObject({ status: 412 })
  expect((await reader.call(getGroupVariable, variable)).body.value).toBe('theirs')
  expect(await set('mine', first.headers.etag)).toMatchObject({ status: 200, body: { value: 'mine' } })
})
