import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { openTransaction } from '../world/open-transaction.ts'
import { skipTime } from '../world/skip-time.ts'
import { openApprovalWorld, remove } from './approval-world.ts'

const { administrator, app, approve, db, given, groupWith, isGone, pendingDeletion, principal, setQuota, withToken } =
  await openApprovalWorld()

const setRevoked = (id: number, isRevoked: boolean) =>
  administrator().call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })
const approvalOf = async (id: string) => (await administrator().call(getApproval, { params: { id } })).body

/** Something else is changing the group, so its deletion waits. */
const lockGroupRow = ({ id }: { id: string }) =>
  openTransaction(db, async (tx) => void (await sql`select from groups where id = ${id} for update`.execute(tx)))

test('a principal can have a hundred requests waiting for approval, and is revoked quickly with all of them', async () => {
  const requester = await principal('group.write')
  const group = await groupWith(1)
  await setQuota(0)
  await sql`
    insert into approvals (requester_id, requester_name, operation, target, request, computer_count, computer_ids,
      request_hash, sealed_request)
    select ${requester.id}, 'script', 'deleteGroup', '/api/group/' || number, '{}', 1, '{1}',
      decode(lpad(to_hex(number), 64, '0'), 'hex'), '\\x00'
    from generate_series(1, 99) as number`.execute(db)

  const last = await requester.call(deleteGroup, remove(group))
  const again = await requester.call(deleteGroup, remove(group))
  const refused = await requester.call(deleteGroup, remove(await groupWith(1)))
  const start = performance.now()
  const revoked = await setRevoked(requester.id, true)
  const duration = performance.now() - start

  expect([last.problem, again.problem]).toEqual(['ApprovalRequired', 'ApprovalRequired'])
  expect(refused).toMatchObject({ status: 409, problem: 'TooManyApprovals', raw: { waitingCount: 100 } })
  expect(revoked.status).toBe(200)
  expect(duration).toBeLessThan(3_000)
  const { rows } = await sql`
    select state, count(*)::integer from approvals where requester_id = ${requester.id} group by state`.execute(db)
  expect(rows).toEqual([{ state: 'Denied', count: 100 }])
})

test('a revocation does not wait for an approved request of the principal, which then has no effect', async () => {
  const { requester, group, id } = await pendingDeletion()
  const blocker = await lockGroupRow(group)
  const approval = approve(id)
  await blocker.untilAwaited()

  const revoked = await setRevoked(requester.id, true)
  await blocker.release()

  expect(revoked.status).toBe(200)
  expect((await approval).body).toMatchObject({ state: 'Failed', problemCode: 'Unauthorized' })
  expect(await isGone(group)).toBe(false)
})

test('a request that nobody could deny when its principal was revoked is denied when the principal is restored', async () => {
  const { requester, id } = await pendingDeletion()
  const blocker = await openTransaction(
    db,
    async (tx) => void (await sql`select from approvals where id = ${id} for update`.execute(tx)),
  )
  await setRevoked(requester.id, true)
  await blocker.release()
  const left = await approvalOf(id)

  await setRevoked(requester.id, false)

  expect(left.state).toBe('Pending')
  expect(await approvalOf(id)).toMatchObject({ state: 'Denied', problemCode: 'RequesterRevoked' })
})

test('the request still waits, and nothing has changed, if the right of the approver ends while it is carried out', async () => {
  const { group, id } = await pendingDeletion()
  const { id: approverId } = await given.localPrincipal({ roles: ['admin.manage'] })
  const blocker = await lockGroupRow(group)
  const approval = approve(id, withToken(await app.services.tokens.issue(approverId)))
  await blocker.untilAwaited()

  await setRevoked(approverId, true)
  // Rights are checked again after two seconds.
  skipTime(2_100)
  await blocker.release()

  expect((await approval).status).toBe(401)
  expect((await approvalOf(id)).state).toBe('Pending')
  expect(await isGone(group)).toBe(false)
})
