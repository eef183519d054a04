import { randomUUID } from 'node:crypto'
import { compositeKey } from '@muster/text'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { findReferences, namedKinds, resolveNames } from '../../src/features/audit/named-objects.ts'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { listEnrolmentTokens } from '../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const { as, db, given, task } = await openIssuesWorld()
const reader = as('computer.read')
const all = as('computer.read', 'group.read', 'package.read', 'admin.manage')
const berlin = await given.group({ name: 'Berlin' })

test('the audit trail names what was changed, even after it was deleted and to those who may not read it', async () => {
  const writer = as('computer.write', 'group.write')
  const { body: computer } = await writer.call(createComputer, {
    body: { name: 'named-pc', domain: 'd', isDomain: false, macAddress: '020000000099' },
  })
  await writer.call(addGroupComputers, { params: { id: berlin.id }, body: { computerIds: [computer.id] } })
  const named = async (caller: typeof all) => {
    const { body } = await caller.call(listAuditEntries, { query: { operation: 'addGroupComputers' } })
    return body.items[0]?.names
  }
  const group = { kind: 'Group', id: berlin.id, name: berlin.path }
  const found = { kind: 'Computer', id: String(computer.id), name: 'named-pc' }

  expect(await named(all)).toEqual([group, found])
  await as('computer.write').call(deleteComputer, { params: { id: computer.id } })
  expect(await named(all)).toContainEqual(found)
  expect(await named(as('admin.manage'))).toEqual([found])
})

test('the audit trail names whatever a path or a body refers to', async () => {
  const depot = await given.computer({ name: 'depot' })
  const tag = { designation: 'Tills' }
  const { id: tagId } = await db.insertInto('tags').values(tag).returning('id').executeTakeFirstOrThrow()
  const { id: classId } = await given.softwareClass({ name: 'Editors' })
  const { id: variable } = await given.variable({ designation: 'Printing' })
  const paths = [
    `/api/group/${berlin.id}/software-classes/${classId}`,
    `/api/group/${berlin.id}/variables/${variable}/collection/1`,
    `/api/depots/${depot.id}/tags/${tagId}`,
  ]
  const found = paths.flatMap((path) => findReferences(path, { body: { treeId: berlin.id, classId } }))
  const unknown = namedKinds.map((kind) => {
    const hasUuid = ['Group', 'Package', 'Rollout', 'Webhook', 'Report', 'Licence'].includes(kind)
    return { kind, id: hasUuid ? randomUUID() : '999999' }
  })

  const names = await resolveNames(db, [...found, ...unknown], new Set(roleNames))

  expect([...names].toSorted()).toEqual(
    [
      [compositeKey('Computer', String(depot.id)), 'depot'],
      [compositeKey('Group', String(berlin.id)), berlin.path],
      [compositeKey('SoftwareClass', String(classId)), 'Editors'],
      [compositeKey('Tag', String(tagId)), 'Tills'],
      [compositeKey('Variable', String(variable)), 'Printing'],
    ].toSorted(),
  )
})

test('tokens and tasks show the path of their group, tokens only to those who may read groups', async () => {
  await sql`insert into enrolment_tokens (token_hash, group_id, expires_at) values ('\\x01', ${berlin.id}, now() + interval '1 day')`.execute(
    db,
  )
  const { id } = await task({ group_id: berlin.id })

  const { body: tokens } = await all.call(listEnrolmentTokens)
  const { body: hidden } = await as('admin.manage').call(listEnrolmentTokens)
  const { body: tasks } = await reader.call(listTasks)

  expect(tokens.items).toMatchObject([{ groupId: berlin.id, groupPath: berlin.path }])
  expect(hidden.items).toMatchObject([{ groupId: berlin.id, groupPath: null }])
  expect(tasks.items.find(({ trackingId }) => trackingId === id)).toMatchObject({ groupPath: berlin.path })
})
