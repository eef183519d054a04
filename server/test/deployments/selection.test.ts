import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { activate as activateScope } from '../../src/features/deployments/activation/activate.ts'
import {
  type ActivationScope,
  computerScope,
  selectionScope,
} from '../../src/features/deployments/activation/activation-scope.ts'
import { activateComputers } from '../../src/features/deployments/api/selection/activate-computers.ts'
import { rebootComputers } from '../../src/features/deployments/api/selection/reboot-computers.ts'
import { rescanComputers } from '../../src/features/deployments/api/selection/rescan-computers.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { addSelectionToGroup } from '../../src/features/groups/api/add-selection-to-group.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld({ hasOwnDatabase: true })
const world = deploymentsIn(db, given)
const unknownId = 2_000_000_000

const activate = (body: { computerIds: number[]; wolNow?: boolean }, query = {}) =>
  as('activation.execute').call(activateComputers, { body, query })
const reboot = (body: { computerIds: number[]; timeoutMinutes?: number; reminderMinutes?: number }, query = {}) =>
  as('reboot.execute').call(rebootComputers, { body, query })
const rescan = (computerIds: number[], query = {}) =>
  as('scan.execute').call(rescanComputers, { body: { computerIds }, query })
const taskOf = async (trackingId: string | null) =>
  (await as('computer.read').call(getTask, { params: { trackingId: trackingId ?? '' } })).body

async function readyComputers() {
  const ready = await given.package({ is_operational: true, hash_state: 'Current' })
  const [one, other] = [await world.assigned(ready), await world.assigned(ready)]
  return { ready, computers: [one.computer, other.computer], ids: [one.computer.id, other.computer.id] }
}

test('the activation of a selection creates the work of all its computers as one task, and counts what it creates', async () => {
  const { ids, computers } = await readyComputers()
  const bystander = await world.assigned()

  const { status, body } = await activate({ computerIds: [...ids, ...ids, unknownId] })

  expect(status).toBe(200)
  expect(body).toMatchObject({ computerCount: 2, computersWithWork: 2, packageCount: 1, workItems: 2, notFound: 1 })
  for (const computer of computers)
    expect(await world.workOf(computer)).toMatchObject([{ kind: 'Install', task_id: body.trackingId }])
  expect(await world.workOf(bystander.computer)).toEqual([])
  expect((await taskOf(body.trackingId)).type).toBe('Activation')
})

test('the activation of a selection on which nothing is due has no task', async () => {
  const { ids } = await readyComputers()
  await activate({ computerIds: ids })

  const { body } = await activate({ computerIds: ids })

  expect(body).toMatchObject({ computerCount: 2, computersWithWork: 0, workItems: 0, trackingId: null })
})

test('the activation of one computer keeps the plans of its statements, and that of a selection, for which they may be wrong, does not', async () => {
  const { ids } = await readyComputers()
  const kept = (scope: ActivationScope, text: string) =>
    db.transaction().execute(async (transaction) => {
      const task = { kind: 'Activation' } as const
      await activateScope(transaction, {
        scope,
        task,
        software: true,
        pxe: false,
        pull: false,
        srl: null,
        wakeAt: null,
        limit: { countRemovals: async () => null },
      })
      const { rows } = await sql`
        select from pg_prepared_statements where strpos(statement, 'insert into work') > 0 and strpos(statement, ${text}) > 0`.execute(
        transaction,
      )
      return rows.length
    })

  expect(await kept(selectionScope(ids, true), 'from computers where id = any(')).toBe(0)
  expect(await kept(computerScope(ids[0] ?? 0, true), 'as owner_id')).toBeGreaterThan(0)
})

test('the activation of a selection wakes its computers on request', async () => {
  const computer = await given.computer()
  await given.member(await given.group(), computer)
  const withoutAddress = await given.computer({ mac: null, uuid: randomUUID() })

  const { body } = await activate({ computerIds: [computer.id, withoutAddress.id], wolNow: true })

  expect(body).toMatchObject({ withoutMacAddress: 1, wolUtc: expect.any(String) })
  const requests = await db
    .selectFrom('wake_requests')
    .select('computer_id')
    .where('computer_id', '=', computer.id)
    .execute()
  expect(requests).toHaveLength(1)
})

test('a restart of a selection is one task, skips computers without a group, and changes the minutes of waiting requests', async () => {
  const [first, second] = [await world.assigned(), await world.assigned()]
  const outside = await given.computer()
  const earlier = await reboot({ computerIds: [first.computer.id] })

  const { body } = await reboot({
    computerIds: [first.computer.id, second.computer.id, outside.id, unknownId],
    timeoutMinutes: 30,
    reminderMinutes: 5,
  })

  expect(body).toMatchObject({ requested: 1, alreadyRequested: 1, withoutGroup: 1, notFound: 1, timeoutMinutes: 30 })
  const minutes = { kind: 'Power', power_action: 'Reboot', timeout_minutes: 30, reminder_minutes: 5 }
  expect(await world.workOf(first.computer)).toMatchObject([{ ...minutes, task_id: earlier.body.trackingId }])
  expect(await world.workOf(second.computer)).toMatchObject([{ ...minutes, task_id: body.trackingId }])
  expect(await world.workOf(outside)).toEqual([])
  const task = { type: 'Reboot', clientId: null, createdBy: expect.any(String), total: 1, open: 1 }
  expect(await taskOf(body.trackingId)).toMatchObject(task)
  expect((await reboot({ computerIds: [first.computer.id] })).body.trackingId).toBeNull()
})

test('a rescan of a selection asks each computer once for its inventory, as one task', async () => {
  const [first, second] = [await given.computer(), await given.computer()]
  await rescan([first.id])

  const { body } = await rescan([first.id, second.id, second.id, unknownId])

  expect(body).toMatchObject({ requested: 1, alreadyRequested: 1, notFound: 1 })
  expect(await world.workOf(first)).toMatchObject([{ kind: 'Refresh', state: 'Due' }])
  expect(await world.workOf(second)).toMatchObject([{ kind: 'Refresh', task_id: body.trackingId }])
  expect((await taskOf(body.trackingId)).type).toBe('Rescan')
})

test('a selection becomes members of a group, with counts of those that do not', async () => {
  const group = await given.group()
  const [member, free] = [await given.computer(), await given.computer()]
  await given.member(group, member)
  const { computer: elsewhere } = await world.assigned()
  const add = (id: string, computerIds: number[]) =>
    as('group.write').call(addSelectionToGroup, { params: { id }, body: { computerIds } })

  const { body } = await add(group.id, [member.id, free.id, elsewhere.id, unknownId])

  expect(body).toEqual({
    groupId: group.id,
    added: 1,
    alreadyMembers: 1,
    inOtherConfigurationGroup: 1,
    notFound: 1,
  })
  const members = await as('group.read').call(listGroupComputers, { params: { id: group.id } })
  expect(members.body.items.map(({ id }) => id).sort()).toEqual([member.id, free.id].sort())
  const special = await given.group({ kind: 'EOL' })
  expect(await add(special.id, [free.id])).toMatchObject({ status: 409, problem: 'SpecialGroup' })
})

test.each([
  ['activation', (ids: number[], query: object) => activate({ computerIds: ids }, query)],
  ['restart', (ids: number[], query: object) => reboot({ computerIds: ids }, query)],
  ['rescan', (ids: number[], query: object) => rescan(ids, query)],
])(
  'a dry run of the %s of a selection changes nothing, and another number of computers is refused',
  async (_, call) => {
    const { ids, computers } = await readyComputers()

    const tried = await call(ids, { dryRun: true })
    const refused = await call(ids, { expectedCount: 3 })

    expect(tried.status).toBe(200)
    expect(tried.headers['muster-affected-computers']).toBe('2')
    expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedCount' })
    for (const computer of computers) expect(await world.workOf(computer)).toEqual([])
  },
)
