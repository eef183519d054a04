import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createView } from '../../src/features/views/api/create-view.ts'
import { deleteView } from '../../src/features/views/api/delete-view.ts'
import { getView } from '../../src/features/views/api/get-view.ts'
import { listViews } from '../../src/features/views/api/list-views.ts'
import { updateView } from '../../src/features/views/api/update-view.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db } = await openWorld()

let number = 0
const named = (name = `view ${number++}`) => ({ page: 'computers' as const, name })
const owner = as('computer.read', 'group.read')
const colleague = as('computer.read', 'group.write')
const admin = as('computer.read', 'admin.manage')

async function savedView(sharedWith: Role[] = []) {
  return (await owner.call(createView, { body: { ...named(), sharedWith } })).body
}

const namesSeenBy = async (reader: typeof owner) =>
  (await reader.call(listViews, { query: { top: 1_000 } })).body.items.map(({ name }) => name)

test('a view has what was saved, and what was not given is the usual list', async () => {
  const content = {
    filters: { healthStatus: ['Warning' as const], tag: ['Köln'], customField: ['Custom01=Room 4'], search: 'till' },
    sort: 'lastSeenUtc' as const,
    descending: true,
    columns: ['hostname' as const, 'nextContactUtc' as const],
    density: 'Compact' as const,
  }

  const { body: full } = await owner.call(createView, { body: { ...named('Full'), ...content } })
  const { body: plain } = await owner.call(createView, { body: named('Plain') })

  expect(full).toMatchObject({ ...content, sharedWith: [], isOwn: true, mayChange: true })
  expect(plain).toMatchObject({ filters: {}, sort: 'hostname', descending: false, columns: [], density: null })
  expect((await owner.call(getView, { params: { id: full.id } })).body).toEqual(full)
})

test('the density of a view is removed again with null', async () => {
  const { body: saved } = await owner.call(createView, { body: { ...named(), density: 'Compact' } })

  const { body } = await owner.call(updateView, { params: { id: saved.id }, body: { density: null } })

  expect(body).toMatchObject({ name: saved.name, density: null })
})

test('only its owner sees a private view, not even an administrator', async () => {
  const { id, name } = await savedView()

  expect(await namesSeenBy(owner)).toContain(name)
  for (const other of [colleague, admin]) {
    expect(await namesSeenBy(other)).not.toContain(name)
    expect(await other.call(getView, { params: { id } })).toMatchObject({ status: 404, problem: 'ViewNotFound' })
    expect(await other.call(updateView, { params: { id }, body: { name: 'mine' } })).toMatchObject({ status: 404 })
    expect(await other.call(deleteView, { params: { id } })).toMatchObject({ status: 404 })
  }
})

test('who has one of the roles sees a shared view, may not change it, and loses sight of it when it is private again', async () => {
  const { id, name } = await savedView(['group.read'])
  const reader = as('computer.read', 'group.read', 'pm.read')

  expect(await namesSeenBy(reader)).toContain(name)
  expect(await namesSeenBy(colleague)).not.toContain(name)
  expect((await reader.call(getView, { params: { id } })).body).toMatchObject({ isOwn: false, mayChange: false })
  expect(await reader.call(updateView, { params: { id }, body: { name: 'mine' } })).toMatchObject({
    status: 403,
    problem: 'ForeignView',
  })
  expect(await reader.call(deleteView, { params: { id } })).toMatchObject({ status: 403, problem: 'ForeignView' })

  await owner.call(updateView, { params: { id }, body: { sharedWith: [] } })
  expect(await namesSeenBy(reader)).not.toContain(name)
})

test('an administrator changes and deletes shared views', async () => {
  const { id, name } = await savedView(['group.read'])

  expect(await namesSeenBy(admin)).toContain(name)
  const { body } = await admin.call(updateView, {
    params: { id },
    body: { density: 'Compact', sharedWith: ['pm.read'] },
  })
  expect(body).toMatchObject({ name, density: 'Compact', sharedWith: ['pm.read'], isOwn: false, mayChange: true })

  expect((await admin.call(deleteView, { params: { id } })).status).toBe(204)
  expect(await namesSeenBy(owner)).not.toContain(name)
})

test('nobody shares a view with a role that they do not have, except administrators', async () => {
  const refused = { status: 403, problem: 'Forbidden', raw: { requiredRole: 'admin.manage' } }
  const { id } = await savedView()

  expect(await owner.call(createView, { body: { ...named(), sharedWith: ['admin.manage'] } })).toMatchObject(refused)
  expect(await owner.call(updateView, { params: { id }, body: { sharedWith: ['admin.manage'] } })).toMatchObject(
    refused,
  )
  expect((await admin.call(createView, { body: { ...named(), sharedWith: ['pm.read'] } })).status).toBe(201)
})

test('what an administrator has shared further stays when the owner changes the rest', async () => {
  const { id } = await savedView(['group.read'])
  await admin.call(updateView, { params: { id }, body: { sharedWith: ['group.read', 'pm.read'] } })

  const { body } = await owner.call(updateView, {
    params: { id },
    body: { descending: true, sharedWith: ['group.read', 'pm.read'] },
  })

  expect(body).toMatchObject({ descending: true, sharedWith: ['group.read', 'pm.read'] })
})

test('a name is taken once by each owner, whatever its case', async () => {
  await owner.call(createView, { body: named('Kasse') })

  expect(await owner.call(createView, { body: named('KASSE') })).toMatchObject({
    status: 409,
    problem: 'DuplicateViewName',
  })
  expect((await colleague.call(createView, { body: named('Kasse') })).status).toBe(201)
})

test.for([
  [{ filters: { healthStatus: ['Broken'] } }, 'healthStatus'],
  [{ filters: { customField: ['Custom99=x'] } }, 'customField'],
  [{ filters: { password: 'x' } }, 'password'],
  [{ filters: '?search=x' }, 'filters'],
  [{ columns: ['hostname', 'credential'] }, 'columns'],
  [{ sort: 'software' }, 'sort'],
  [{ sharedWith: ['everyone'] }, 'sharedWith'],
  [{ page: 'secrets' }, 'page'],
] as const)('a view takes only what its page has: %j is refused', async ([part, property]) => {
  const refused = await owner.send({ method: 'POST', url: '/api/views', payload: { ...named(), ...part } })

  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.raw)).toContain(property)
})

test('a principal has at most 100 views', async () => {
  const collector = as('computer.read', 'scan.execute')
  const save = () => collector.call(createView, { body: named() })
  const saved = await Promise.all(Array.from({ length: 98 }, save))
  expect(saved.every(({ status }) => status === 201)).toBe(true)

  const last = await Promise.all([save(), save(), save(), save()])

  expect(last.map(({ status, problem }) => problem ?? status).toSorted()).toEqual([
    ...[201, 201],
    ...['TooManyViews', 'TooManyViews'],
  ])
})

test('a shared view outlives its owner, a private one does not', async () => {
  const leaver = as('computer.read', 'group.read', 'reboot.execute')
  const [kept, gone] = [named(), named()]
  const { body: shared } = await leaver.call(createView, { body: { ...kept, sharedWith: ['group.read'] } })
  const { body: own } = await leaver.call(createView, { body: gone })
  const { principal_id } = await db
    .selectFrom('saved_views')
    .select('principal_id')
    .where('id', '=', own.id)
    .executeTakeFirstOrThrow()

  await db.deleteFrom('principals').where('id', '=', Number(principal_id)).execute()

  expect((await owner.call(getView, { params: { id: shared.id } })).body).toMatchObject({
    name: kept.name,
    savedBy: null,
    mayChange: false,
  })
  expect(await db.selectFrom('saved_views').select('id').where('id', '=', own.id).execute()).toEqual([])
  expect(await admin.call(updateView, { params: { id: shared.id }, body: { sharedWith: [] } })).toMatchObject({
    status: 409,
    problem: 'ViewWithoutReaders',
  })
  expect((await admin.call(deleteView, { params: { id: shared.id } })).status).toBe(204)
})

test('who saved, changed and deleted a view is in the audit trail', async () => {
  const { id } = await savedView()
  await owner.call(updateView, { params: { id }, body: { descending: true } })
  await owner.call(deleteView, { params: { id } })

  const { body } = await as('audit.read').call(listAuditEntries, { query: { target: `/api/views/${id}` } })

  expect(body.items.map(({ operation }) => operation)).toEqual(['deleteView', 'updateView', 'createView'])
})
