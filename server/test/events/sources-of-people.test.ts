import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asyncApiDocument } from '../../src/features/events/async-api.ts'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { streamEndType } from '../../src/features/events/stream-end.ts'
import { openWorld } from '../world/open-world.ts'
import { checkedEvents, dataOf, typesOf } from './checked-events.ts'

const world = await openWorld()
const { as, db, given } = world
const { eventsOf, seen } = checkedEvents(world)

test('patches leave events when they are found missing, fixed and approved', async () => {
  const computer = await given.computer()
  const product = await given.product()
  const patch = await given.patch({ products: [product], vendor_severity: 'Critical' })
  const scan = (status: 'Missing' | 'Installed') => given.patchScan(computer, [{ ...reported, status }])
  const reported = { key: patch.key, product: product.name, name: patch.name }

  const missing = await eventsOf(() => scan('Missing'))
  const fixed = await eventsOf(() => scan('Installed'))
  const approved = await eventsOf(() =>
    sql`update patch_links set approved_at = now() where patch_id = ${patch.id}`.execute(db),
  )
  const revoked = await eventsOf(() =>
    sql`update patch_links set approved_at = null where patch_id = ${patch.id}`.execute(db),
  )

  const policy = await eventsOf(() => db.insertInto('patch_policies').values({ name: 'Tills', rules: '[]' }).execute())
  await sql`
    insert into patch_ring_progress (policy_id, patch_id, product_id)
    select patch_policies.id, link.patch_id, link.product_id from patch_policies, patch_links link where patch_id = ${patch.id}`.execute(
    db,
  )
  const rings = []
  for (const change of [
    sql`ring = 1, begun_at = now(), opened_at = now()`,
    sql`met_at = now()`,
    sql`paused_at = now(), pause = '{"code": "Failures"}'`,
    sql`paused_at = null, pause = null, resumed_at = now()`,
    sql`stopped_at = now(), stopped_by = 'anna'`,
  ])
    rings.push(...typesOf(await eventsOf(() => sql`update patch_ring_progress set ${change}`.execute(db))))

  expect(rings).toEqual(['patch.ring-opened', 'patch.ring-paused', 'patch.ring-resumed', 'patch.stopped'])
  expect(typesOf(policy)).toEqual(['patch.policy-changed'])
  expect(missing).toMatchObject([
    { type: 'muster.patch.missing', data: { count: 1, patches: [{ key: patch.key, severity: 'Critical' }] } },
  ])
  expect(typesOf(fixed)).toEqual(['patch.fixed'])
  expect([...typesOf(approved), ...typesOf(revoked)]).toEqual(['patch.approved', 'patch.approval-revoked'])
})

test('groups, their members and their assignments leave events', async () => {
  const computer = await given.computer()
  const software = await given.package()
  let group = { id: '' }
  const created = await eventsOf(async () => {
    group = await given.group({ name: 'Tills' })
  })
  const joined = await eventsOf(() => given.member(group, computer))
  const assigned = await eventsOf(() => given.assignment(group, software, 'package'))
  const renamed = await eventsOf(() => sql`update groups set name = 'Desks' where id = ${group.id}`.execute(db))
  const removed = await eventsOf(() => sql`delete from group_packages where group_id = ${group.id}`.execute(db))
  const ruled = await eventsOf(() =>
    sql`insert into group_rules (group_id, criteria, max_changes_per_hour) values (${group.id}, '{"names": ["*"]}', 10)`.execute(
      db,
    ),
  )
  const converged = await eventsOf(() =>
    sql`
      insert into group_convergence (group_id, is_on, rings, criteria, expected_computers, max_removals, max_repairs_per_day, changed_by)
      values (${group.id}, true, '[{"percent": 10}, {}]', '{}', 100, 10, 3, 'anna')`.execute(db),
  )
  const left = await eventsOf(() => sql`delete from group_computers where group_id = ${group.id}`.execute(db))
  await given.member(group, computer)
  const deleted = await eventsOf(() => sql`delete from groups where id = ${group.id}`.execute(db))

  expect(created).toMatchObject([{ type: 'muster.group.created', data: { groupName: 'Tills' } }])
  expect(joined).toMatchObject([{ type: 'muster.group.computers-added', data: { computerIds: [computer.id] } }])
  expect(assigned).toMatchObject([
    { type: 'muster.assignment.created', data: { kind: 'Package', assignedId: software.id } },
  ])
  expect(renamed).toMatchObject([{ type: 'muster.group.changed', data: { changes: { name: { to: 'Desks' } } } }])
  expect([...typesOf(removed), ...typesOf(left)]).toEqual(['assignment.removed', 'group.computers-removed'])
  expect(ruled).toMatchObject([{ type: 'muster.group.rule-changed', data: { state: 'Active', joining: null } }])
  expect(converged).toMatchObject([{ type: 'muster.group.convergence-changed', data: { state: 'On' } }])
  expect(typesOf(deleted)).toEqual(['group.deleted'])
})

test('packages and depots leave events, but heartbeats do not', async () => {
  let software = { id: '' }
  const depot = await given.computer()
  const imported = await eventsOf(async () => {
    software = await given.package()
  })
  const released = await eventsOf(() =>
    sql`update packages set is_operational = true where id = ${software.id}`.execute(db),
  )
  const deleted = await eventsOf(() => sql`delete from packages where id = ${software.id}`.execute(db))
  const depots = await eventsOf(async () => {
    await sql`insert into depots (computer_id, secret_hash) values (${depot.id}, 'secret')`.execute(db)
    await sql`update depots set heartbeat_at = now() where computer_id = ${depot.id}`.execute(db)
    await sql`update depots set version = '1.4' where computer_id = ${depot.id}`.execute(db)
    await sql`insert into sync_jobs (computer_id, trigger) values (${depot.id}, 'Manual')`.execute(db)
    await sql`update sync_jobs set status = 'Success', finished_at = now() where computer_id = ${depot.id}`.execute(db)
    await sql`delete from depots where computer_id = ${depot.id}`.execute(db)
  })

  expect([imported, released, deleted].flatMap(typesOf)).toEqual([
    'package.imported',
    'package.changed',
    'package.deleted',
  ])
  expect(released[0]?.data.changes).toEqual({ isReadyToInstall: { from: false, to: true } })
  expect(typesOf(depots)).toEqual(['depot.created', 'depot.changed', 'depot.synchronised', 'depot.deleted'])
})

test('principals, sign-ins and anchors leave events without secrets', async () => {
  const made = { id: 0, clientId: '', secret: '' }
  const created = await eventsOf(async () => Object.assign(made, await given.localPrincipal({ roles: ['pm.read'] })))
  const token = (secret: string) =>
    as('pm.read').send({
      method: 'POST',
      url: '/api/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `grant_type=client_credentials&client_id=${made.clientId}&client_secret=${secret}`,
    })
  const signedIn = await eventsOf(() => token(made.secret))
  const refused = await eventsOf(() => token('wrong'))
  const revoked = await eventsOf(() =>
    sql`update local_principals set is_revoked = true where principal_id = ${made.id}`.execute(db),
  )
  const deleted = await eventsOf(() => sql`delete from principals where id = ${made.id}`.execute(db))
  const anchored = await eventsOf(() =>
    sql`insert into audit_anchors (taken_at, document) values (now(), '{}')`.execute(db),
  )

  expect(typesOf(created)).toEqual(expect.arrayContaining(['principal.created', 'principal.changed']))
  expect(dataOf(signedIn, 'sign-in.succeeded')).toMatchObject([{ principalName: made.clientId, method: 'Token' }])
  expect(dataOf(refused, 'sign-in.failed')).toMatchObject([{ status: 401 }])
  expect(revoked).toMatchObject([{ data: { changes: { isRevoked: { from: false, to: true } } } }])
  expect([...typesOf(deleted), ...typesOf(anchored)]).toEqual(['principal.deleted', 'audit.anchored'])
  const text = JSON.stringify([created, signedIn, refused])
  expect(text).not.toContain(made.secret)
  expect(text).not.toMatch(/hash/i)
})

test('every other declared type was seen here, except those of rollouts', () => {
  const isOfPeople = (type: string) =>
    /^muster\.(group|assignment|package|depot|patch|principal|sign-in|audit)\./.test(type)

  expect([...seen].filter(isOfPeople).toSorted()).toEqual(
    eventTypes
      .map(({ type }) => type)
      .filter(isOfPeople)
      .toSorted(),
  )
})

test('every declared type is written by a function of the database, and every written type is declared', async () => {
  const { rows } = await sql<{ type: string }>`
    select distinct type[1] as type from pg_proc, regexp_matches(prosrc, '''(muster\\.[a-z.-]+)''', 'g') as type
    order by 1`.execute(db)

  expect(rows.map(({ type }) => type)).toEqual(eventTypes.map(({ type }) => type).toSorted())
})

test('the AsyncAPI document describes every type with its role and its schema', async () => {
  const served = await world.withToken(undefined).send({ method: 'GET', url: '/asyncapi/v1.json' })
  const { components } = served.body as { components: { messages: Record<string, { name: string }>; schemas: object } }

  expect(served.body).toEqual(JSON.parse(JSON.stringify(asyncApiDocument())))
  expect(Object.values(components.messages).map(({ name }) => name)).toEqual([
    ...eventTypes.map(({ type }) => type),
    streamEndType,
  ])
})
