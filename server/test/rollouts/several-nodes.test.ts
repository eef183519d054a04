import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { continueRollout } from '../../src/features/rollouts/continue-rollout.ts'
import { continueUnfinishedRollouts, purgeRollouts } from '../../src/features/rollouts/jobs/unfinished-rollouts.ts'
import { query, until } from '../database/embedded-postgres/muster.ts'
import { accessToken, startServiceProcess } from '../world/service-process.ts'
import { openRolloutWorld } from './rollout-world.ts'

const world = await openRolloutWorld()
const { create, db, doWork, fleet, read, tick } = world

test('several nodes that continue a rollout at the same time release every computer once', async () => {
  const { group, agents } = await fleet(5)
  const { rolloutId: id } = (await create(group, { rings: [{ count: 2 }, {}] })).body
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3, 4].map(() => continueRollout(db, id)))
    await doWork(agents)
  }
  await tick(id)
  const { rows } = await sql<{ items: number; computers: number }>`
    select count(*)::integer as items, count(distinct computer_id)::integer as computers from work where rollout_id = ${id}`.execute(
    db,
  )
  const events = await sql<{ count: number }>`
    select count(*)::integer as count from distribution_events
    where result = 'Pending' and computer_id in (select computer_id from rollout_computers where rollout_id = ${id})`.execute(
    db,
  )

  expect(rows).toEqual([{ items: 5, computers: 5 }])
  expect(events.rows).toEqual([{ count: 5 }])
  expect(await read(id)).toMatchObject({ state: 'CatchingUp', succeededCount: 5 })
})

test('a node that fails while it releases computers leaves nothing half done, and the next one continues', async () => {
  const { group, agents } = await fleet(3)
  const { rolloutId: id } = (await create(group)).body
  await sql`
    create function fail_release() returns trigger language plpgsql as $$ begin raise exception 'The node ends.'; end $$`.execute(
    db,
  )
  await sql`create trigger fail_release before update of released_at on rollout_computers execute function fail_release()`.execute(
    db,
  )
  await expect(continueRollout(db, id)).rejects.toThrow('The node ends.')
  const halfway = await doWork(agents)
  await sql`drop trigger fail_release on rollout_computers`.execute(db)
  await continueUnfinishedRollouts(db)

  expect(halfway).toBe(0)
  expect(await doWork(agents)).toBe(3)
})

test('rollouts that ended long ago are purged, others stay', async () => {
  const { group } = await fleet(1)
  const [old, current] = [(await create(group)).body.rolloutId, (await create(group)).body.rolloutId]
  await sql`update rollouts set state = 'Completed', ended_at = now() - interval '31 days' where id = ${old}`.execute(
    db,
  )
  const purged = await purgeRollouts(db, 30)

  expect(purged).toBe(1)
  expect((await read(current)).rolloutId).toBe(current)
  await expect(read(old)).rejects.toThrow('404')
})

const killed = { computers: 3_000 }

/** A group of computers without agents and a package, in the database of a running service. */
const fleetSql = `
  with made_group as (
    insert into groups (tree, parent_id, name, kind)
    select tree, id, 'Rollout', 'Ordinary' from groups where tree = 'AssignmentGroups' and parent_id is null
    returning id, is_exclusive
  ), made_package as (
    insert into packages (name, package_name, version, folder) values ('Viewer', 'viewer', '1', 'viewer') returning id
  ), assigned as (
    insert into group_packages (group_id, package_id) select made_group.id, made_package.id from made_group, made_package
  ), made_computers as (
    insert into computers (name, domain, is_domain, uuid)
    select 'pc-' || n, 'example.org', true, gen_random_uuid() from generate_series(1, ${killed.computers}) n returning id
  )
  insert into group_computers (group_id, computer_id, is_exclusive)
  select made_group.id, made_computers.id, is_exclusive from made_group, made_computers returning group_id`

test('a rollout continues after kill -9 in the middle of a release, and every computer gets its work once', async () => {
  let service = await startServiceProcess()
  const { dataDirectory } = service
  const database = { host: join(dataDirectory, 'postgres/socket'), port: 5432, user: 'muster', database: 'muster' }
  const token = await accessToken(service)
  await query(
    database,
    `insert into principal_roles (principal_id, role)
     select id, unnest(array['activation.execute', 'computer.read']) from principals`,
  )
  const [{ group_id: groupId } = {}] = await query(database, fleetSql)
  const created = await fetch(`${service.address}/api/rollouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Killed', groupId, rings: [{ percent: 50 }, {}], criteria: { minSuccessPercent: 1 } }),
  })
  expect(await created.text()).toContain('"ringCount":2')
  const count = async () => {
    const [row] = await query(
      database,
      'select count(*)::integer as items, count(distinct computer_id)::integer as computers from work',
    )
    return row as { items: number; computers: number }
  }
  await until(async () => ((await count()).items > 0 ? true : undefined), 30_000)
  await service.kill('SIGKILL')
  service = await startServiceProcess({ dataDirectory })
  const half = killed.computers / 2
  await until(async () => ((await count()).items >= half ? true : undefined), 30_000)

  expect(await count()).toEqual({ items: half, computers: half })
  const [{ released } = {}] = await query(
    database,
    'select count(released_at)::integer as released from rollout_computers',
  )
  expect(released).toBe(half)
}, 120_000)
