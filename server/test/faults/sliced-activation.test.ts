import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { databaseEnvironment } from '../database/backup/commands.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { openWorld } from '../world/open-world.ts'
import { startServiceProcess } from '../world/service-process.ts'

// Several slices of the smallest size.
const computers = 600
const packages = 4

const { app, as, database, db, given } = await openWorld()

/** A node of the service on the database of this test. */
const startNode = async () =>
  startServiceProcess({
    dataDirectory: await temporaryFolder(),
    env: { ...databaseEnvironment(database), MUSTER_SLICED_ACTIVATION_ITEMS: '1', MUSTER_MIN_FREE_DISK: '0' },
  })

async function fleet() {
  const group = await given.group()
  for (let n = 0; n < packages; n++) await given.assignment(group, await given.package(), 'package')
  await sql`
    with added as (
      insert into computers (name, domain, is_domain, mac_address)
      select 'pc-' || n, ${group.id}, true, regexp_replace(left(md5(${group.id} || n), 12), '(..)(?!$)', '\\1:', 'g')
      from generate_series(1, ${computers}::integer) n
      returning id
    )
    insert into group_computers (group_id, computer_id, is_exclusive)
    select groups.id, added.id, groups.is_exclusive from added, groups where groups.id = ${group.id}`.execute(db)
  return group
}

/** Makes every work item take a few milliseconds so that a node is killed within a slice. */
async function slowDown(): Promise<void> {
  await sql`
    create or replace function wait_a_moment() returns trigger language plpgsql as 'begin perform pg_sleep(0.002); return new; end'`.execute(
    db,
  )
  await sql`create or replace trigger slow before insert on work for each row execute function wait_a_moment()`.execute(
    db,
  )
}

test('a large activation is completed exactly once if its nodes are killed at any time', async () => {
  const group = await fleet()
  await slowDown()
  const [first, second] = await Promise.all([startNode(), startNode()])
  const { id } = await given.localPrincipal({ roles: ['activation.execute'] })
  const answer = await fetch(`${first.address}/api/group/${group.id}/activation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await app.services.tokens.issue(id)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ software: true }),
  })
  const { trackingId, computerCount } = (await answer.json()) as { trackingId: string; computerCount: number }
  const task = async () => (await as('computer.read').call(getTask, { params: { trackingId }, query: { top: 1 } })).body
  const completed = async () => (await task()).preparation?.completed ?? 0
  const untilMoreThan = (count: number) => until(async () => ((await completed()) > count ? true : undefined), 30_000)

  await untilMoreThan(0)
  await first.kill('SIGKILL')
  const afterFirst = await completed()
  await untilMoreThan(afterFirst)
  await second.kill('SIGKILL')
  const afterSecond = await task()
  await startNode()
  await until(async () => ((await task()).preparation?.state === 'Completed' ? true : undefined), 60_000)

  expect([computerCount, afterSecond.preparation?.state]).toEqual([computers, 'Running'])
  expect(afterSecond.total).toBe((afterSecond.preparation?.completed ?? 0) * packages)
  expect(await task()).toMatchObject({ status: 1, total: computers * packages, preparation: { completed: computers } })
  const { rows } = await sql`
    with member as (select computer_id from group_computers where group_id = ${group.id})
    select (select count(*)::integer from work join member using (computer_id)) as work,
      (select count(*)::integer from distribution_events join member using (computer_id)) as events,
      (select count(distinct (computer_id, package_id))::integer
        from distribution_events join member using (computer_id)) as deployments,
      (select count(*)::integer from activations join member using (computer_id)) as activations`.execute(db)
  expect(rows).toEqual([
    {
      work: computers * packages,
      events: computers * packages,
      deployments: computers * packages,
      activations: computers,
    },
  ])
}, 120_000)
