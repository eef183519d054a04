import { expect, test } from 'vitest'
import { deleteComputers } from '../../src/features/computers/api/delete-computers.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { openApprovalWorld, type Refusal } from '../blast-radius/approval-world.ts'
import { fingerprints } from '../world/tables.ts'

const { approve, as, db, given, principal, setQuota } = await openApprovalWorld()
const writer = as('computer.write', 'computer.read')
const unknownId = 2_000_000_000

const remove = (computerIds: number[], query = {}) => writer.call(deleteComputers, { body: { computerIds }, query })
const exists = async (id: number) => (await as('computer.read').call(getComputer, { params: { id } })).status === 200

test('a selection is deleted with its memberships and empty reinstall groups, and the master server is kept', async () => {
  const [group, reinstall] = [await given.group(), await given.group({ kind: 'Reinstall' })]
  const [member, depot, master] = [
    await given.computer(),
    await given.computer({ role: 'DepotServer' }),
    await given.computer({ role: 'MasterServer' }),
  ]
  for (const one of [group, reinstall]) await given.member(one, member)
  await db
    .insertInto('group_depot_servers')
    .values({ group_id: group.id, computer_id: depot.id, priority: 1 })
    .execute()

  const { status, body } = await remove([member.id, depot.id, depot.id, master.id, unknownId])

  expect(status).toBe(200)
  expect(body).toMatchObject({ deleted: 2, groupMembers: 1, listedDepots: 1, masterServers: 1, notFound: 1 })
  expect(body.firstComputers?.map(({ computerId }) => computerId).sort()).toEqual([member.id, depot.id].sort())
  expect(await Promise.all([member.id, depot.id, master.id].map(exists))).toEqual([false, false, true])
  expect((await as('group.read').call(getGroup, { params: { id: reinstall.id } })).status).toBe(404)
})

test('a dry run of the deletion of a selection names its computers, changes nothing, and another number is refused', async () => {
  const computers = [await given.computer({ name: 'b' }), await given.computer({ name: 'A' })]
  const ids = computers.map(({ id }) => id)
  const before = await fingerprints(db)

  const tried = await remove(ids, { dryRun: true })
  const refused = await remove(ids, { expectedCount: 3 })

  expect(tried.headers['muster-affected-computers']).toBe('2')
  expect(tried.body.firstComputers?.map(({ name }) => name)).toEqual(['A', 'b'])
  expect(refused).toMatchObject({ status: 409, problem: 'UnexpectedCount' })
  expect(await fingerprints(db)).toEqual(before)
})

test('who may not read computers learns the counts of a deletion, but no names', async () => {
  const { id } = await given.computer()

  const { body } = await as('computer.write').call(deleteComputers, { body: { computerIds: [id] } })

  expect(body).toMatchObject({ deleted: 1, firstComputers: null })
})

test('the deletion of a selection above the quota waits for a second administrator', async () => {
  const ids = [(await given.computer()).id, (await given.computer()).id]
  const requester = await principal('computer.write')
  await setQuota(1)

  const refused = await requester.call(deleteComputers, { body: { computerIds: ids } })
  const before = await Promise.all(ids.map(exists))
  const approved = await approve((refused.raw as Refusal).approvalId)

  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired', raw: { computerCount: 2 } })
  expect(before).toEqual([true, true])
  expect(approved.body).toMatchObject({ state: 'Executed', answerStatus: 200 })
  expect(await Promise.all(ids.map(exists))).toEqual([false, false])
})
