import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { denyRequest } from '../../src/features/blast-radius/api/deny-request.ts'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { listApprovals } from '../../src/features/blast-radius/api/list-approvals.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { openApprovalWorld, type Refusal, remove } from './approval-world.ts'

const {
  administrator,
  app,
  approve,
  as,
  db,
  given,
  groupWith,
  isGone,
  pendingDeletion,
  principal,
  setQuota,
  withToken,
} = await openApprovalWorld()

test('nothing is changed before a second principal approves, and the change is then made as the requester', async () => {
  const { requester, group, id } = await pendingDeletion()
  const before = await isGone(group)
  const shown = (await administrator().call(getApproval, { params: { id } })).body

  const approved = await approve(id)

  expect(before).toBe(false)
  expect(shown).toMatchObject({ state: 'Pending', targetName: group.path, answerStatus: null })
  expect(approved.body).toMatchObject({
    state: 'Executed',
    requesterId: requester.id,
    operation: 'deleteGroup',
    target: `/api/group/${group.id}`,
    targetName: null,
    request: { query: { force: true } },
    computerCount: 3,
    answerStatus: 204,
    problemCode: null,
  })
  expect(await isGone(group)).toBe(true)
  const audited = async (target: string) =>
    (await administrator().call(listAuditEntries, { query: { target } })).body.items
  const [approval] = await audited(`/api/approvals/${id}`)
  expect(approval?.operation).toBe('approveRequest')
  expect(await audited(`/api/group/${group.id}`)).toMatchObject([
    {
      operation: 'deleteGroup',
      principalId: requester.id,
      request: { approval: { id, principalId: approval?.principalId, principalName: approval?.principalName } },
    },
  ])
})

test('the requester cannot approve, even with admin.manage and another token', async () => {
  const { id: requesterId, call } = await principal('group.write', 'admin.manage')
  const group = await groupWith(1)
  await setQuota(0)
  const { approvalId } = (await call(deleteGroup, remove(group))).raw as Refusal

  const refused = await approve(approvalId, withToken(await app.services.tokens.issue(requesterId)))

  expect(refused).toMatchObject({ status: 409, problem: 'OwnRequest' })
  expect(await isGone(group)).toBe(false)
})

test('who lacks admin.manage can neither approve nor see the requests of others', async () => {
  const { group, id } = await pendingDeletion()
  const other = await principal('group.write', 'computer.write')

  expect((await approve(id, other)).status).toBe(403)
  expect((await other.call(getApproval, { params: { id } })).status).toBe(404)
  expect((await other.call(denyRequest, { params: { id } })).status).toBe(404)
  expect((await other.call(listApprovals)).body.items).toEqual([])
  expect(await isGone(group)).toBe(false)
})

test('of many who approve at once, one carries the request out, once', async () => {
  const { group, id } = await pendingDeletion()
  const approvers = await Promise.all(Array.from({ length: 5 }, () => principal('admin.manage')))

  const answers = await Promise.all(approvers.map((approver) => approve(id, approver)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  expect(answers.filter(({ problem }) => problem === 'ApprovalDecided')).toHaveLength(4)
  const entries = await administrator().call(listAuditEntries, { query: { target: `/api/group/${group.id}` } })
  expect(entries.body.items).toHaveLength(1)
})

test('if the change cannot be committed, the request still waits and nothing has happened', async () => {
  const { group, id } = await pendingDeletion()
  // As after a crash: everything until the end of the transaction was done and is lost.
  await sql`
    create function refuse_decision() returns trigger language plpgsql as $$
    begin raise exception 'crash' using errcode = '57P01'; end $$`.execute(db)
  await sql`create trigger refuse_decision before update on approvals execute function refuse_decision()`.execute(db)

  const failed = await approve(id)
  await sql`drop function refuse_decision cascade`.execute(db)

  expect(failed.status).toBe(503)
  expect(await isGone(group)).toBe(false)
  expect((await approve(id)).body.state).toBe('Executed')
  expect(await isGone(group)).toBe(true)
})

test.each<[string, (id: number) => Promise<{ status: number }>]>([
  [
    'has lost the role',
    (id) =>
      administrator().call(updateLocalPrincipal, {
        params: { id },
        body: { description: null, roles: ['group.read'], expiresAtUtc: null },
      }),
  ],
  [
    'has expired',
    (id) =>
      administrator().call(updateLocalPrincipal, {
        params: { id },
        body: { description: null, roles: ['group.write'], expiresAtUtc: '2020-01-01T00:00:00Z' },
      }),
  ],
])('a request is refused if its requester %s', async (_, change) => {
  const { requester, group, id } = await pendingDeletion()
  expect((await change(requester.id)).status).toBe(200)

  const { body } = await approve(id)

  expect(body).toMatchObject({ state: 'Failed', answerStatus: expect.toBeOneOf([401, 403]) })
  expect(await isGone(group)).toBe(false)
})

test('a request is denied in the transaction that revokes its requester, and stays so when the requester is restored', async () => {
  const { requester, group, id } = await pendingDeletion()
  const setRevoked = (isRevoked: boolean) =>
    administrator().call(setLocalPrincipalRevoked, { params: { id: requester.id }, body: { isRevoked } })
  await setRevoked(true)
  const shown = (await administrator().call(getApproval, { params: { id } })).body
  await setRevoked(false)

  const approved = await approve(id)

  expect(shown).toMatchObject({ state: 'Denied', problemCode: 'RequesterRevoked', decidedBy: null })
  expect(shown.decidedAtUtc).not.toBeNull()
  expect(approved).toMatchObject({ status: 409, problem: 'ApprovalDecided' })
  expect(await isGone(group)).toBe(false)
})

test('a request expires after 24 hours', async () => {
  const { group, id } = await pendingDeletion()
  await sql`update approvals set expires_at = now() where id = ${id}`.execute(db)

  const refused = await approve(id)

  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalDecided' })
  expect((await administrator().call(getApproval, { params: { id } })).body.state).toBe('Expired')
  expect(await isGone(group)).toBe(false)
})

test('a denied request cannot be approved, and the requester can withdraw its own', async () => {
  const [denied, withdrawn] = [await pendingDeletion(), await pendingDeletion()]

  await administrator().call(denyRequest, { params: { id: denied.id } })
  await withdrawn.requester.call(denyRequest, { params: { id: withdrawn.id } })

  for (const { id, group } of [denied, withdrawn]) {
    expect(await approve(id)).toMatchObject({ status: 409, problem: 'ApprovalDecided' })
    expect(await isGone(group)).toBe(false)
  }
})

test('a repeated request waits once; with an Idempotency-Key it gets its answer when it is approved', async () => {
  const { call } = await principal('computer.write', 'reboot.execute')
  const computer = await given.computer()
  await given.member(await given.group(), computer)
  await setQuota(0)
  const reboot = () =>
    call(rebootComputer, { params: { id: computer.id }, headers: { 'idempotency-key': `reboot-${computer.id}` } })

  const [first, second] = [await reboot(), await reboot()]
  const { approvalId } = first.raw as Refusal
  await approve(approvalId)
  const answered = await reboot()

  expect((second.raw as Refusal).approvalId).toBe(approvalId)
  expect(answered).toMatchObject({ status: 200, body: { clientId: computer.id } })
  expect(answered.headers['idempotency-replayed']).toBe('true')
})

test('the stored request cannot be read in the database, and is deleted with the decision', async () => {
  const { group, id } = await pendingDeletion()
  const stored = async () =>
    db.selectFrom('approvals').select('sealed_request').where('id', '=', id).executeTakeFirstOrThrow()
  const before = (await stored()).sealed_request

  await approve(id)

  expect(before?.toString('latin1')).not.toContain(group.id)
  expect((await stored()).sealed_request).toBeNull()
})

test('an approval that does not name the current version of the resource changes nothing', async () => {
  const { call } = await principal('computer.write')
  const computer = await given.computer()
  const { headers } = await as('computer.read').call(getComputer, { params: { id: computer.id } })
  await setQuota(0)
  const refused = await call(deleteComputer, {
    params: { id: computer.id },
    headers: { 'if-match': headers.etag ?? '' },
  })
  await db.updateTable('computers').set({ name: 'renamed' }).where('id', '=', computer.id).execute()

  const { body } = await approve((refused.raw as Refusal).approvalId)

  expect(body).toMatchObject({ state: 'Failed', answerStatus: 412, problemCode: 'PreconditionFailed' })
})
