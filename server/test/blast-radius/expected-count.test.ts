import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()

/** A group with one computer, and one below it with two more, one of which is in both. */
async function groupOfThree() {
  const group = await given.group({ tree: 'AssignmentGroups' })
  const below = await given.group({ tree: 'AssignmentGroups', parent: group })
  const computers = [await given.computer(), await given.computer(), await given.computer()] as const
  await given.member(group, computers[0])
  await given.member(group, computers[1])
  await given.member(below, computers[1])
  await given.member(below, computers[2])
  return { group, below, computers }
}

test('each computer of a group and of the groups below it counts once', async () => {
  const { group } = await groupOfThree()
  const pack = await given.package()
  const assign = (query: object) =>
    as('group.write').call(assignGroupPackage, { params: { id: group.id }, query, body: { packageId: pack.id } })

  const refused = await assign({ expectedCount: 2 })
  const { body } = await as('group.read').call(listGroupPackages, { params: { id: group.id } })

  expect(refused).toMatchObject({ status: 409, raw: { expectedCount: 2, actualCount: 3, tolerance: 0 } })
  expect(body.items).toEqual([])
  expect((await assign({ expectedCount: 3 })).status).toBe(201)
})

test.each([
  ['a number of computers', 1, '2', 201],
  ['a number of computers', 1, '1', 409],
  ['a number of computers, also downwards', 5, '2', 201],
  ['a percentage of the expected count', 2, '50%', 201],
  ['a percentage, rounded down', 2, '49%', 409],
])('the tolerance is %s: %i expected ± %s of 3', async (_, expectedCount, expectedCountTolerance, status) => {
  const { group } = await groupOfThree()

  const answer = await as('group.write').call(assignGroupPackage, {
    params: { id: group.id },
    query: { expectedCount, expectedCountTolerance },
    body: { packageId: (await given.package()).id },
  })

  expect(answer.status).toBe(status)
})

test.each([
  [{ expectedCountTolerance: '3' }, 'expectedCountTolerance'],
  [{ expectedCount: 3, expectedCountTolerance: '-1' }, 'expectedCountTolerance'],
  [{ expectedCount: 3, expectedCountTolerance: '5 %' }, 'expectedCountTolerance'],
  [{ expectedCount: -1 }, 'expectedCount'],
])('%o is refused by name', async (query, name) => {
  const group = await given.group()

  const refused = await as('group.write').call(deleteGroup, { params: { id: group.id }, query })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name }] } })
})

test('what does not exist is answered as without an expected count', async () => {
  const id = '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'

  const missing = await as('group.write').call(deleteGroup, { params: { id }, query: { expectedCount: 3 } })

  expect(missing).toMatchObject({ status: 404, problem: 'GroupNotFound' })
})

test('a computer that joins between the count and the change is noticed, and the change is undone', async () => {
  const { group, below } = await groupOfThree()
  const late = await given.computer()
  await given.assignment(group, await given.package({ is_operational: true }), 'package')
  // The activation waits for the membership of another computer while the late one joins.
  const activation = db.transaction().execute(async (tx) => {
    await sql`select from group_computers where group_id = ${group.id} for update`.execute(tx)
    const activated = as('activation.execute').call(activateGroup, {
      params: { id: group.id },
      query: { expectedCount: 3 },
      body: { software: true },
    })
    await waitForLock()
    const joined = await as('group.write').call(addGroupComputers, {
      params: { id: below.id },
      body: { computerIds: [late.id] },
    })
    expect(joined.body.results).toMatchObject([{ status: 'Added' }])
    return { activated }
  })

  const refused = await (await activation).activated

  expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedCount', raw: { actualCount: 4 } })
  const tasks = await as('computer.read').call(listTasks, {})
  expect(tasks.body.items.filter(({ groupId }) => groupId === group.id)).toEqual([])
})

/** Waits until a statement waits for a row. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}

test('a dry run shows the real count, too', async () => {
  const { group } = await groupOfThree()

  const tried = await as('group.write').call(deleteGroup, {
    params: { id: group.id },
    query: { force: true, dryRun: true, expectedCount: 0 },
  })

  expect(tried).toMatchObject({ status: 409, raw: { actualCount: 3 } })
})

test('a replacement in several steps makes no step if the number of affected computers is not the expected one', async () => {
  const { group } = await groupOfThree()
  const [before, after] = [await given.package(), await given.package()]
  await given.assignment(group, before, 'package')

  const refused = await as('group.write').call(replacePackage, {
    query: { expectedCount: 2 },
    body: { oldPackageId: before.id, newPackageId: after.id },
  })

  expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedCount', raw: { actualCount: 3 } })
  const { body } = await as('group.read').call(listGroupPackages, { params: { id: group.id } })
  expect(body.items.map(({ id }) => id)).toEqual([before.id])
})

test('a dry run counts who has not reported for a week, and no computer that was added meanwhile', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  const group = await given.group({ tree: 'AssignmentGroups' })
  for (const computer of [
    await given.computer(),
    await given.computer({ lastSeen: days(1), created_at: days(90) }),
    await given.computer({ lastSeen: days(8), created_at: days(90) }),
    await given.computer({ created_at: days(8) }),
  ])
    await given.member(group, computer)

  const tried = await as('group.write').call(deleteGroup, {
    params: { id: group.id },
    query: { dryRun: true, force: true },
  })

  expect(tried.headers).toMatchObject({ 'muster-affected-computers': '4', 'muster-away-computers': '2' })
})
