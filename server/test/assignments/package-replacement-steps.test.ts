import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')

type HasId = { id: string }

const replace = (before: HasId, after: HasId, more: { key?: string; dryRun?: boolean } = {}) =>
  writer.call(replacePackage, {
    body: { oldPackageId: before.id, newPackageId: after.id },
    ...(more.key && { headers: { 'idempotency-key': more.key } }),
    ...(more.dryRun && { query: { dryRun: true } }),
  })

const groupsOf = async (one: HasId) => {
  const { body } = await as('package.read').call(listPackageGroups, { params: { id: one.id }, query: { top: 1000 } })
  return body.items.map(({ id }) => id)
}

const audited = async (target: string) => {
  const { body } = await as('admin.manage').call(listAuditEntries, { query: { target, top: 1000 } })
  return body.items.map(({ operation, status }) => ({ operation, status }))
}

async function replacementIn(count: number) {
  const [before, after] = [await given.package(), await given.package()]
  const groups: HasId[] = []
  for (let n = 0; n < count; n++) {
    const group = await given.group()
    await given.assignment(group, before, 'package')
    groups.push(group)
  }
  groups.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { before, after, ids: groups.map(({ id }) => id) }
}

const entry = { operation: 'replacePackage', status: 200 }

/** Locks the assignments of the group while the work runs: a replacement waits before it changes this group. */
async function whileLocked(groupId: string, work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (locking) => {
    await locking.selectFrom('group_packages').select('group_id').where('group_id', '=', groupId).forUpdate().execute()
    await work()
  })
}

/** The database processes of replacements that wait for the lock. */
async function waitingProcesses(): Promise<number[]> {
  for (;;) {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%group_packages assigned%'`.execute(
      db,
    )
    if (rows.length > 0) return rows.map(({ pid }) => pid)
  }
}

describe('transactions of a replacement', () => {
  test('a replacement changes each group in its own transaction', async () => {
    const { before, after, ids } = await replacementIn(5)

    await replace(before, after)

    const { rows } = await sql<{ xmin: string }>`
      select distinct xmin::text from group_packages where package_id = ${after.id}`.execute(db)
    expect(rows).toHaveLength(ids.length)
  })

  test('a replacement is audited for each group that it changes, and not for groups that it leaves alone', async () => {
    const { before, after, ids } = await replacementIn(2)
    const special = await given.group({ kind: 'EOL' })
    await given.assignment(special, before, 'package')
    const requests = (await audited('/api/group/package-replacement')).length

    await replace(before, after)

    for (const id of ids) expect(await audited(`/api/group/${id}`)).toEqual([entry])
    expect(await audited(`/api/group/${special.id}`)).toEqual([])
    expect(await audited('/api/group/package-replacement')).toHaveLength(requests + 1)
  })

  test('a replacement commits each group before it begins the next', async () => {
    const { before, after, ids } = await replacementIn(3)
    const [first = '', second = ''] = ids

    let replacing: ReturnType<typeof replace> | undefined
    await whileLocked(second, async () => {
      replacing = replace(before, after)
      await waitingProcesses()

      expect(await groupsOf(after)).toEqual([first])
    })

    expect((await replacing)?.body).toMatchObject({ succeeded: 3, failed: 0 })
  })
})

describe('interrupted replacements', () => {
  test('an interrupted replacement keeps and audits the finished groups, and a repetition changes the rest', async () => {
    const { before, after, ids } = await replacementIn(4)
    const [first = '', second = '', ...rest] = ids
    const key = `interrupted-${before.id}`

    let interrupted: ReturnType<typeof replace> | undefined
    await whileLocked(second, async () => {
      interrupted = replace(before, after, { key })
      for (const pid of await waitingProcesses()) await sql`select pg_terminate_backend(${pid})`.execute(db)
      expect(await interrupted).toMatchObject({ status: 503, problem: 'DatabaseUnavailable' })
    })
    const left = { before: await groupsOf(before), after: await groupsOf(after) }
    const trail = await audited(`/api/group/${first}`)
    const again = await replace(before, after, { key })
    const replayed = await replace(before, after, { key })

    expect(left).toEqual({ before: [second, ...rest], after: [first] })
    expect(trail).toEqual([entry])
    expect(again.body.results.map(({ groupId }) => groupId)).toEqual([second, ...rest])
    expect(await groupsOf(after)).toEqual(ids)
    expect(replayed.headers['idempotency-replayed']).toBe('true')
    expect(replayed.raw).toEqual(again.raw)
  })
})

describe('replacements with an Idempotency-Key', () => {
  test('two concurrent replacements with the same Idempotency-Key run once', async () => {
    const { before, after, ids } = await replacementIn(6)
    const key = `twice-${before.id}`

    const both = await Promise.all([replace(before, after, { key }), replace(before, after, { key })])

    expect(both.map(({ body }) => body.succeeded)).toEqual([6, 6])
    expect(both.filter(({ headers }) => headers['idempotency-replayed'])).toHaveLength(1)
    for (const id of ids) expect(await audited(`/api/group/${id}`)).toEqual([entry])
  })

  test('another replacement with a used Idempotency-Key is refused and changes nothing', async () => {
    const [one, other] = [await replacementIn(1), await replacementIn(1)]
    const key = `other-${one.before.id}`
    await replace(one.before, one.after, { key })
    const tables = await fingerprints(db)

    const refused = await replace(other.before, other.after, { key })

    expect(refused).toMatchObject({ status: 422, problem: 'IdempotencyKeyReused' })
    expect(await fingerprints(db)).toEqual(tables)
  })

  test('a refused replacement does not use up its Idempotency-Key', async () => {
    const { before, after } = await replacementIn(1)
    const key = `free-${before.id}`

    const refused = await replace(before, before, { key })
    const replaced = await replace(before, after, { key })

    expect([refused.status, replaced.status]).toEqual([400, 200])
  })
})

test('a dry run answers with the result of each group, including those that the database refuses, and changes nothing', async () => {
  const { before, after, ids } = await replacementIn(3)
  const special = await given.group({ kind: 'Restore' })
  await given.assignment(special, before, 'package')
  await sql`
    create function refuse_one() returns trigger language plpgsql as $$
    begin raise exception 'not here' using errcode = 'check_violation'; end $$`.execute(db)
  await sql`
    create trigger refuse_one before delete on group_packages for each row
    when (old.group_id = ${sql.lit(ids[1])}) execute function refuse_one()`.execute(db)
  const tables = await fingerprints(db)

  const tried = await replace(before, after, { dryRun: true })
  const untouched = await fingerprints(db)
  const done = await replace(before, after)
  await sql`drop function refuse_one cascade`.execute(db)

  expect(tried.headers['muster-dry-run']).toBe('true')
  expect(tried.body).toMatchObject({ succeeded: 2, failed: 2 })
  expect(untouched).toEqual(tables)
  expect(tried.raw).toEqual(done.raw)
})
