import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asyncApiDocument } from '../../src/features/events/async-api.ts'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { recordIssueFindings } from '../../src/features/issues/issue-findings.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { leasedWorkIn } from '../channels/agent/leased-work.ts'
import { eventsOf as eventsOfChange, lastPosition, type ReadEvent } from './read-log.ts'

const world = await openAgentWorld()
const { agent, as, db, given, readyPackage, work } = world
const { leasedWork } = leasedWorkIn(world)

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const schemas = new Map(eventTypes.map(({ type, data }) => [type, ajv.compile(data)]))
const seen = new Set<string>()

/** The events of a change, each checked against the schema of its type. */
async function eventsOf(change: () => Promise<unknown>): Promise<ReadEvent[]> {
  const events = await eventsOfChange(world, change)
  for (const { type, data } of events) {
    const check = schemas.get(type)
    expect(check?.(data), `${type} ${JSON.stringify(data)}: ${JSON.stringify(check?.errors)}`).toBe(true)
    seen.add(type)
  }
  return events
}

const typesOf = (events: readonly ReadEvent[]) => events.map(({ type }) => type.replace('muster.', ''))
const dataOf = (events: readonly ReadEvent[], type: string) =>
  events.filter((event) => event.type === `muster.${type}`).map(({ data }) => data)

test('a computer leaves events when it is created, changed and deleted, and only its changed properties are in them', async () => {
  const created = await eventsOf(() => given.computer({ name: 'PC-A' }))
  const id = Number(created[0]?.data.computerId)
  const changed = await eventsOf(() =>
    sql`update computers set name = 'PC-B', modified_at = now() where id = ${id}`.execute(db),
  )
  const untouched = await eventsOf(() => sql`update computers set inventory_at = now() where id = ${id}`.execute(db))
  const deleted = await eventsOf(() => sql`delete from computers where id = ${id}`.execute(db))

  expect(typesOf(created)).toEqual(['computer.created'])
  expect(changed).toMatchObject([
    { type: 'muster.computer.changed', data: { changes: { name: { from: 'PC-A', to: 'PC-B' } } } },
  ])
  expect(Object.keys(changed[0]?.data.changes ?? {})).toEqual(['name'])
  expect(untouched).toEqual([])
  expect(typesOf(deleted)).toEqual(['computer.deleted'])
})

test('many computers at once leave one event that counts them', async () => {
  const insert = sql`insert into computers (name, domain, is_domain, uuid) select 'bulk-' || n, 'd', true, gen_random_uuid() from generate_series(1, 150) n`
  const created = await eventsOf(() => insert.execute(db))
  const changed = await eventsOf(() => sql`update computers set domain = 'e' where domain = 'd'`.execute(db))
  const deleted = await eventsOf(() => sql`delete from computers where domain = 'e'`.execute(db))

  for (const [event, ...others] of [created, changed, deleted]) {
    expect(event?.data).toMatchObject({ computers: 150, list: expect.stringContaining('/api/computer') })
    expect(others).toEqual([])
  }
})

test('an agent leaves events when it enrols, and a contact without news writes nothing', async () => {
  const enrolled = await eventsOf(agent)
  const one = await agent()
  await one.contact()
  // Every row of the outbox takes a value of its sequence, whatever becomes of the row.
  const written = sql<{ last: number }>`select last_value as last from event_outbox_id_seq`
  await lastPosition(db)
  const before = await written.execute(db)
  const idle = await eventsOf(() => one.contact())

  expect(typesOf(enrolled).filter((type) => type.startsWith('computer'))).toEqual([
    'computer.created',
    'computer.enrolled',
  ])
  expect(dataOf(enrolled, 'computer.enrolled')).toMatchObject([{ agentKind: 'Muster' }])
  expect(idle).toEqual([])
  expect((await written.execute(db)).rows).toEqual(before.rows)
})

test('work leaves an event for each step: due, leased, progress, result, and the end of its task', async () => {
  const computer = await agent()
  const software = await readyPackage()
  let workId = 0
  const due = await eventsOf(async () => {
    workId = await work(computer, software)
  })
  const leased = await eventsOf(() => computer.contact())
  const started = await eventsOf(() => computer.start(workId))
  const progress = await eventsOf(() => computer.progress(workId, 40))
  const repeated = await eventsOf(() => computer.progress(workId, 40))
  const succeeded = await eventsOf(() => computer.report(workId))

  expect(typesOf(due)).toEqual(['task.created', 'work.due'])
  expect(dataOf(due, 'work.due')).toMatchObject([{ items: [{ workId, packageName: software.name, attempt: 0 }] }])
  expect(dataOf(leased, 'work.leased')).toMatchObject([{ computerId: computer.id, workItems: 1, items: [{ workId }] }])
  expect(dataOf(started, 'work.progress')).toMatchObject([{ items: [{ progress: 0 }] }])
  expect(dataOf(progress, 'work.progress')).toMatchObject([{ items: [{ progress: 40 }] }])
  expect(repeated).toEqual([])
  expect(typesOf(succeeded)).toEqual(['work.succeeded', 'deployment.succeeded', 'task.finished'])
  expect(dataOf(succeeded, 'task.finished')).toMatchObject([{ workItems: { succeeded: 1, failed: 0, cancelled: 0 } }])
})

test('a failure leaves an event with the error, when it is retried and when it is final', async () => {
  const { computer, report, workId } = await leasedWork()
  const failure = { status: 'Failed', errorText: 'The disk is full.' } as const

  const first = await eventsOf(() => report(workId, failure))
  const final = await eventsOf(async () => {
    for (const attempt of [2, 3]) {
      await sql`update work set not_before = now() where id = ${workId}`.execute(db)
      await computer.contact()
      await report(workId, { ...failure, attempt })
    }
  })

  expect(typesOf(first)).toEqual(['work.due', 'deployment.failed'])
  expect(dataOf(first, 'deployment.failed')).toMatchObject([{ error: 'The disk is full.' }])
  expect(typesOf(final)).toEqual(expect.arrayContaining(['work.failed', 'deployment.failed', 'task.finished']))
})

test('work that is lost or cancelled leaves other events than work that fails', async () => {
  const [lost, cancelled] = [await leasedWork(), await leasedWork()]
  await sql`update work set attempt = 10, leased_until = now() - interval '1 minute' where id = ${lost.workId}`.execute(
    db,
  )

  const abandoned = await eventsOf(() => lost.computer.contact())
  const withdrawn = await eventsOf(() =>
    sql`update work set state = 'Cancelled', closed_at = now(), leased_until = null where id = ${cancelled.workId}`.execute(
      db,
    ),
  )

  expect(dataOf(abandoned, 'work.abandoned')).toMatchObject([{ items: [{ workId: lost.workId }] }])
  expect(typesOf(withdrawn)).toEqual(['work.cancelled', 'task.finished'])
})

test('work for many computers leaves one event for each package, which counts them', async () => {
  const [first, second] = [await readyPackage(), await readyPackage()]
  await sql`insert into computers (name, domain, is_domain, uuid) select 'fleet-' || n, 'fleet', true, gen_random_uuid() from generate_series(1, 120) n`.execute(
    db,
  )
  const { id } = await db.insertInto('tasks').values({ kind: 'Activation' }).returning('id').executeTakeFirstOrThrow()

  const due = await eventsOf(() =>
    sql`insert into work (computer_id, package_id, task_id, kind)
      select computers.id, packages.id, ${id}, 'Install' from computers, packages
      where domain = 'fleet' and packages.id in (${first.id}, ${second.id})`.execute(db),
  )
  const cancelled = await eventsOf(() =>
    sql`update work set state = 'Cancelled', closed_at = now() where task_id = ${id}`.execute(db),
  )

  expect(typesOf(due)).toEqual(['work.due', 'work.due'])
  expect(typesOf(cancelled)).toEqual(['work.cancelled', 'work.cancelled', 'task.finished'])
  for (const data of [...dataOf(due, 'work.due'), ...dataOf(cancelled, 'work.cancelled')])
    expect(data).toMatchObject({ taskId: id, computers: 120, workItems: 120, list: `/api/tasks/${id}` })
})

test('the inventory leaves what changed, not the whole', async () => {
  const { id } = await given.computer()
  const drive = (position: number, free: number) =>
    sql`insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
      values (${id}, ${position}, 'C:', 3, 100, ${free}, 'Encrypted')
      on conflict (computer_id, position) do update set free_space_gb = excluded.free_space_gb`.execute(db)
  const product = await db
    .insertInto('software_products')
    .values({ name: 'Example Editor', version: '4.2' })
    .returning('id')
    .executeTakeFirstOrThrow()

  const added = await eventsOf(() => drive(0, 50))
  const changed = await eventsOf(() => drive(0, 40))
  const same = await eventsOf(() => drive(0, 40))
  const installed = await eventsOf(() => sql`insert into installed_software values (${id}, ${product.id})`.execute(db))
  const gone = await eventsOf(() => sql`delete from computers where id = ${id}`.execute(db))

  expect(added).toMatchObject([{ data: { section: 'disks', change: 'Added', count: 1, items: [{ volume: 'C:' }] } }])
  expect(changed).toMatchObject([
    { data: { section: 'disks', change: 'Changed', items: [{ freeSpaceGb: { from: 50, to: 40 } }] } },
  ])
  expect(same).toEqual([])
  expect(installed).toMatchObject([
    { data: { section: 'installedSoftware', items: [{ productName: 'Example Editor' }] } },
  ])
  expect(typesOf(gone)).toEqual(['computer.deleted'])
})

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

  expect(missing).toMatchObject([
    { type: 'muster.patch.missing', data: { count: 1, patches: [{ key: patch.key, severity: 'Critical' }] } },
  ])
  expect(typesOf(fixed)).toEqual(['patch.fixed'])
  expect([...typesOf(approved), ...typesOf(revoked)]).toEqual(['patch.approved', 'patch.approval-revoked'])
})

test('issues leave events when they appear and clear, by the declarations of the sweeps, and silent agents as well', async () => {
  const computer = await given.computer({ lastSeen: new Date(Date.now() - 40 * 86_400_000) })
  await eventsOf(() => recordIssueFindings(db))
  await sql`insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
    values (${computer.id}, 0, 'C:', 3, 100, 1, 'Encrypted')`.execute(db)
  const full = await eventsOf(() => recordIssueFindings(db))
  await sql`update disk_drives set free_space_gb = 50 where computer_id = ${computer.id}`.execute(db)
  await sql`update computer_contacts set last_seen_at = now() where computer_id = ${computer.id}`.execute(db)
  const better = await eventsOf(() => recordIssueFindings(db))
  await sql`update computer_contacts set last_seen_at = now() - interval '40 days' where computer_id = ${computer.id}`.execute(
    db,
  )
  const silent = await eventsOf(() => recordIssueFindings(db))

  expect(dataOf(full, 'issue.appeared')).toMatchObject([{ issue: 'low-disk', computerId: computer.id }])
  expect(dataOf(better, 'issue.cleared').map(({ issue }) => issue)).toEqual(['low-disk', 'stale-agent'])
  expect(dataOf(better, 'computer.back')).toMatchObject([{ computerId: computer.id }])
  expect(dataOf(silent, 'computer.silent')).toMatchObject([{ computerId: computer.id }])
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

test('every declared type is written by a trigger, every written type is declared, and this file has seen all of them', async () => {
  const { rows } = await sql<{ type: string }>`
    select distinct type[1] as type from pg_proc, regexp_matches(prosrc, '''(muster\\.[a-z.-]+)''', 'g') as type
    order by 1`.execute(db)
  const declared = eventTypes.map(({ type }) => type).toSorted()

  expect(rows.map(({ type }) => type)).toEqual(declared)
  expect([...seen].toSorted()).toEqual(declared)
})

test('the AsyncAPI document describes every type with its role and its schema', async () => {
  const served = await world.withToken(undefined).send({ method: 'GET', url: '/asyncapi/v1.json' })
  const { components } = served.body as { components: { messages: Record<string, { name: string }>; schemas: object } }

  expect(served.body).toEqual(JSON.parse(JSON.stringify(asyncApiDocument())))
  expect(Object.values(components.messages).map(({ name }) => name)).toEqual(eventTypes.map(({ type }) => type))
})
