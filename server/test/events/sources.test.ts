import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { recordIssueFindings } from '../../src/features/issues/issue-findings.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { leasedWorkIn } from '../channels/agent/leased-work.ts'
import { checkedEvents, dataOf, typesOf } from './checked-events.ts'
import { lastPosition } from './read-log.ts'

const world = await openAgentWorld()
const { agent, db, given, readyPackage, work } = world
const { leasedWork } = leasedWorkIn(world)
const { eventsOf, seen } = checkedEvents(world)

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
  // One statement records both, in no particular order.
  expect(typesOf(succeeded).toSorted()).toEqual(['deployment.succeeded', 'task.finished', 'work.succeeded'])
  expect(dataOf(succeeded, 'task.finished')).toMatchObject([{ workItems: { succeeded: 1, failed: 0, cancelled: 0 } }])
})

test('what the person at the computer chose leaves an event about the computer', async () => {
  const { computer, report, workId } = await leasedWork()
  const made = { choice: 'Now', user: 'mia', programs: [], atUtc: '2026-03-14T09:26:53.000Z' } as const

  const chosen = await eventsOf(() => report(workId, { workChoices: [made] } as object))

  expect(dataOf(chosen, 'work.choice')).toMatchObject([
    { computerId: computer.id, workId, choice: 'Now', user: 'mia', chosenAtUtc: made.atUtc },
  ])
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

test('work that is lost or cancelled leaves different events from work that fails', async () => {
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
  const id = randomUUID()

  const due = await eventsOf(() =>
    sql`with task as (insert into tasks (id, kind) values (${id}, 'Activation'))
      insert into work (computer_id, package_id, task_id, kind)
      select computers.id, packages.id, ${id}, 'Install' from computers, packages
      where domain = 'fleet' and packages.id in (${first.id}, ${second.id})`.execute(db),
  )
  const cancelled = await eventsOf(() =>
    sql`update work set state = 'Cancelled', closed_at = now() where task_id = ${id}`.execute(db),
  )

  expect(typesOf(due).toSorted()).toEqual(['task.created', 'work.due', 'work.due'])
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

test('every declared type about computers, inventory, issues, work, deployments and tasks was seen here', () => {
  const isOfMachines = (type: string) => /^muster\.(computer|inventory|issue|work|deployment|task)\./.test(type)

  expect([...seen].filter(isOfMachines).toSorted()).toEqual(
    eventTypes
      .map(({ type }) => type)
      .filter(isOfMachines)
      .toSorted(),
  )
})
