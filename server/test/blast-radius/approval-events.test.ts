import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { denyRequest } from '../../src/features/blast-radius/api/deny-request.ts'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { expireApprovals } from '../../src/features/blast-radius/stored-approvals.ts'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { checkedEvents } from '../events/checked-events.ts'
import { openApprovalWorld, remove } from './approval-world.ts'

const world = await openApprovalWorld()
const { administrator, approve, as, db, given, groupWith, pendingDeletion, principal, setQuota } = world
const { eventsOf, seen } = checkedEvents(world)

/** The events of approvals among those that a change leaves. */
const approvalEventsOf = async (change: () => Promise<unknown>) =>
  (await eventsOf(change)).filter(({ type }) => type.startsWith('muster.approval.'))

test('a request that begins to wait leaves an event with its count, its names and its end, and none when it is repeated', async () => {
  const requester = await principal('group.write')
  const group = await groupWith(3)
  await setQuota(2)

  const requested = await approvalEventsOf(() => requester.call(deleteGroup, remove(group)))
  const repeated = await approvalEventsOf(() => requester.call(deleteGroup, remove(group)))
  const tried = await approvalEventsOf(() => requester.call(deleteGroup, remove(group, { dryRun: true })))

  const id = String(requested[0]?.data.approvalId)
  const { expiresAtUtc } = (await administrator().call(getApproval, { params: { id } })).body
  expect(requested).toMatchObject([
    {
      type: 'muster.approval.requested',
      subject: `/api/approvals/${id}`,
      data: {
        operation: 'deleteGroup',
        computers: 3,
        subjects: [{ kind: 'Group', id: group.id, name: group.path }],
        requesterId: requester.id,
        expiresAtUtc,
      },
    },
  ])
  expect([repeated, tried]).toEqual([[], []])
})

test('an approval, a failed approval, a denial, a withdrawal and the end of the wait leave one event each', async () => {
  const [approved, failed, denied, withdrawn, expired] = [
    await pendingDeletion(),
    await pendingDeletion(),
    await pendingDeletion(),
    await pendingDeletion(),
    await pendingDeletion(),
  ]
  await given.member(failed.group, await given.computer())

  const events = await approvalEventsOf(async () => {
    await approve(approved.id)
    await approve(failed.id)
    await administrator().call(denyRequest, { params: { id: denied.id } })
    await withdrawn.requester.call(denyRequest, { params: { id: withdrawn.id } })
    await sql`update approvals set expires_at = now() where id = ${expired.id}`.execute(db)
    await expireApprovals(db)
    await expireApprovals(db)
  })

  expect(events.map(({ type, data }) => [type, data.approvalId, data.state, data.problemCode])).toEqual([
    ['muster.approval.approved', approved.id, 'Executed', null],
    ['muster.approval.approved', failed.id, 'Failed', 'ApprovedComputersChanged'],
    ['muster.approval.denied', denied.id, undefined, undefined],
    ['muster.approval.denied', withdrawn.id, undefined, undefined],
    ['muster.approval.expired', expired.id, undefined, undefined],
  ])
})

test('an expired request has lost its content and its computers, and cannot be approved', async () => {
  const { id } = await pendingDeletion()
  await sql`update approvals set expires_at = now() where id = ${id}`.execute(db)

  const count = await expireApprovals(db)

  expect(count).toBe(1)
  const stored = await db
    .selectFrom('approvals')
    .select(['state', 'sealed_request', 'computer_ids'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(stored).toEqual({ state: 'Expired', sealed_request: null, computer_ids: null })
  expect((await administrator().call(getApproval, { params: { id } })).body).toMatchObject({
    state: 'Expired',
    decidedAtUtc: null,
  })
  expect(await approve(id)).toMatchObject({ status: 409, problem: 'ApprovalDecided' })
})

test('a request can be made again once it has expired', async () => {
  const { id, group, requester } = await pendingDeletion()
  await sql`update approvals set expires_at = now() where id = ${id}`.execute(db)

  const again = await requester.call(deleteGroup, remove(group))

  expect(again).toMatchObject({ problem: 'ApprovalRequired', raw: { approvalId: expect.not.stringContaining(id) } })
  expect((await administrator().call(getApproval, { params: { id } })).body.state).toBe('Expired')
})

test('only those who can approve see the events', async () => {
  const types = 'muster.approval.*'
  const others = roleNames.filter((role) => role !== 'admin.manage')
  await pendingDeletion()
  await eventsOf(async () => {})

  const seenByOthers = await as(...others).call(listEvents, { query: { types, limit: 1_000 } })
  const seenByApprovers = await administrator().call(listEvents, { query: { types, limit: 1_000 } })
  const named = await as(...others).call(listEvents, { query: { types: 'muster.approval.requested' } })

  expect(seenByOthers.body.items).toEqual([])
  expect(seenByApprovers.body.items.length).toBeGreaterThan(0)
  expect(named.status).toBe(403)
})

test('every declared type about approvals was seen here', () => {
  const isOfApprovals = (type: string) => type.startsWith('muster.approval.')

  expect([...seen].filter(isOfApprovals).toSorted()).toEqual(
    eventTypes
      .map(({ type }) => type)
      .filter(isOfApprovals)
      .toSorted(),
  )
})
