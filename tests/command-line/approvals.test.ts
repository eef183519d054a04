import { expect, test } from 'vitest'
import { deleteGroup } from '../../server/src/features/groups/api/delete-group.ts'
import { openApprovalWorld, type Refusal, remove } from '../../server/test/blast-radius/approval-world.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { commandsIn } from './muster-command.ts'

const world = await openApprovalWorld()
const { db, given, groupWith, isGone, pendingDeletion, principal, setQuota } = world
const { muster, musterOn } = await commandsIn(world)

test('requests that wait are listed with their names, shown with their computers, and approved', async () => {
  const { group, id } = await pendingDeletion(2)

  const listed = await muster('approvals', 'list')
  const shown = await muster('approvals', 'show', id)
  const tried = await muster('approvals', 'approve', id, '--dry-run')
  const before = await isGone(group)
  const approved = await muster('approvals', 'approve', id)

  expect(listed.out).toMatch(new RegExp(`${id} +Pending +deleteGroup +${group.path} +2 `))
  expect(shown.out).toContain(group.path)
  expect(shown.out).toMatch(/Computers +2: pc-\w+, pc-\w+/)
  expect(shown.out).toMatch(/What +Delete a group/)
  expect(tried.out).toBe('“Delete a group and its subtree” for 2 computers would be carried out.\n')
  expect(before).toBe(false)
  expect(approved.out).toBe('“Delete a group and its subtree” for 2 computers is carried out.\n')
  expect(await isGone(group)).toBe(true)
})

test('a waiting request is named by what it affects, or by the beginning of its id, and never by nothing', async () => {
  const { group } = await pendingDeletion(2)
  const other = await pendingDeletion(2)

  const byName = await muster('approvals', 'show', group.path)
  const byBeginning = await muster('approvals', 'show', other.id.slice(0, 18))
  const unknown = await muster('approvals', 'deny', 'Nowhere')
  const nothing = await muster('approvals', 'approve', '')
  const denied = await muster('approvals', 'deny', group.path)

  expect(byName.out).toContain(group.path)
  expect(byBeginning.out).toContain(other.group.path)
  expect(unknown).toMatchObject({ code: 2, err: 'No waiting request is named "Nowhere".\n' })
  expect(nothing).toMatchObject({ code: 2, err: 'No waiting request is named "".\n' })
  expect([await isGone(group), await isGone(other.group)]).toEqual([false, false])
  expect(denied.out).toBe('“Delete a group and its subtree” is denied.\n')
  expect((await muster('approvals', 'show', group.path)).code).toBe(2)
})

test('a deletion above the quota asks for the number of computers, and then waits for an approval', async () => {
  const group = await groupWith(2)
  await setQuota(0)
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return '2'
  }

  const { code, err } = await musterOn({ ask }, 'groups', 'delete', group.id)
  const waiting = await muster('approvals', 'list')

  expect(questions).toEqual([expect.stringMatching(/affects 2 computers\. Type 2 to continue: $/)])
  expect([code, err]).toEqual([1, expect.stringContaining('(ApprovalRequired)')])
  expect(waiting.out).toContain(group.path)
  expect(await isGone(group)).toBe(false)
})

test('an approved request that fails is named, and the command fails', async () => {
  const { group, id } = await pendingDeletion(2)
  await given.member(group, await given.computer())

  const { code, err } = await muster('approvals', 'approve', id)

  expect([code, err]).toEqual([
    1,
    '“Delete a group and its subtree” for 2 computers failed: ApprovedComputersChanged. Nothing was changed.\n',
  ])
  expect(await isGone(group)).toBe(false)
})

test('requests and decisions are followed as they happen', async () => {
  const { call } = await principal('group.write')
  const group = await groupWith(2)
  await setQuota(0)
  await sequenceAll(db)
  const { promise: isOpen, resolve } = Promise.withResolvers<void>()
  const lines: string[] = []
  const followed = musterOn(
    { write: (part) => lines.push(String(part)), note: () => {}, signal: new AbortController().signal },
    ...['approvals', 'list', '--follow', '--limit', '2'],
  )
  setTimeout(resolve, 500)
  await isOpen

  const { approvalId } = (await call(deleteGroup, remove(group))).raw as Refusal
  await sequenceAll(db)
  await muster('approvals', 'deny', approvalId)
  await sequenceAll(db)
  await followed

  expect(lines.join('')).toMatch(
    new RegExp(`requested +${approvalId} +deleteGroup +${group.path} +2 .*\\n.*denied +${approvalId}`),
  )
})
