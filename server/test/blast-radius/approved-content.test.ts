import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assignGroupPxeBootImage } from '../../src/features/assignments/api/groups/assign-group-pxe-boot-image.ts'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { makeSlice } from '../../src/features/deployments/jobs/make-slices.ts'
import { operations } from '../../src/features/index.ts'
import { openApprovalWorld, type Refusal } from './approval-world.ts'

/** From this number of work items on, they are created after the answer. */
const slicedItems = 5

const { administrator, app, approve, db, given, principal, setQuota } = await openApprovalWorld({
  slicedActivationItems: slicedItems,
})

/** A group of computers with a package, whose activation waits for an approval. */
async function waitingActivation(computerCount: number) {
  const [group, assigned] = [await given.group(), await given.package({ is_operational: true })]
  await given.assignment(group, assigned, 'package')
  for (let count = 0; count < computerCount; count++) await given.member(group, await given.computer())
  const requester = await principal('activation.execute')
  await setQuota(0)
  const body = { software: true, srl: { action: 'Shutdown' } } as const
  const request = () => requester.call(activateGroup, { params: { id: group.id }, body })
  const refused = await request()
  expect(refused).toMatchObject({ status: 409, problem: 'ApprovalRequired' })
  return { group, assigned, request, id: (refused.raw as Refusal).approvalId }
}

const workOf = (group: { id: string }) =>
  db
    .selectFrom('work')
    .innerJoin('group_computers', 'group_computers.computer_id', 'work.computer_id')
    .where('group_computers.group_id', '=', group.id)
    .where('work.package_id', 'is not', null)
    .select('work.package_id')
    .distinct()
    .execute()

test('an approval shows what the computers get, and carries out that', async () => {
  const { group, assigned, id } = await waitingActivation(2)

  const shown = await administrator().call(getApproval, { params: { id } })
  const decided = await approve(id)

  expect(shown.body.content).toEqual([expect.stringContaining(`Install ${assigned.name}`)])
  expect(decided.body).toMatchObject({ state: 'Executed', problemCode: null })
  expect(await workOf(group)).toEqual([{ package_id: assigned.id }])
})

test.each([2, slicedItems + 1])(
  'an approved activation of %d computers fails if a package was added since',
  async (count) => {
    const { group, request, id } = await waitingActivation(count)
    await given.assignment(group, await given.package({ is_operational: true }), 'package')

    const decided = await approve(id)
    const again = await request()

    expect(decided.body).toMatchObject({ state: 'Failed', problemCode: 'ApprovedContentChanged' })
    expect(await workOf(group)).toEqual([])
    expect((again.raw as Refusal).approvalId).not.toBe(id)
  },
)

test('an approved activation fails if the content of a package was replaced since', async () => {
  const { group, assigned, id } = await waitingActivation(2)
  await sql`update packages set content_hash = sha256('other') where id = ${assigned.id}`.execute(db)

  const decided = await approve(id)

  expect(decided.body).toMatchObject({ state: 'Failed', problemCode: 'ApprovedContentChanged' })
  expect(await workOf(group)).toEqual([])
})

test('an approved activation brings less if a package was taken away since', async () => {
  const { group, assigned, id } = await waitingActivation(2)
  await db.deleteFrom('group_packages').where('package_id', '=', assigned.id).execute()

  const decided = await approve(id)

  expect(decided.body).toMatchObject({ state: 'Executed' })
  expect(await workOf(group)).toEqual([])
})

test('a large activation brings nothing that was assigned after its approval', async () => {
  const { group, assigned, id } = await waitingActivation(slicedItems + 1)

  await approve(id)
  await given.assignment(group, await given.package({ is_operational: true }), 'package')
  while (await makeSlice({ db, logger: app.http.log }, 100));

  expect(await workOf(group)).toEqual([{ package_id: assigned.id }])
})

test('a large activation for PXE installs nothing with a boot image that nobody has approved', async () => {
  const [group, image, system] = [await given.group(), await given.pxeBootImage(), await given.osImage()]
  await given.assignment(group, image, 'pxeBootImage')
  await given.assignment(group, system.skus[0] ?? expect.fail('There is no edition.'), 'osImageSku')
  for (let count = 0; count <= slicedItems; count++) await given.member(group, await given.computer())
  const requester = await principal('activation.execute', 'group.write')
  await setQuota(0)
  const refused = await requester.call(activateGroup, { params: { id: group.id }, body: { pxe: true } })
  const { approvalId: id } = refused.raw as Refusal

  const shown = await administrator().call(getApproval, { params: { id } })
  await approve(id)
  const body = { pxeId: (await given.pxeBootImage()).id }
  await requester.call(assignGroupPxeBootImage, { params: { id: group.id }, body })
  while (await makeSlice({ db, logger: app.http.log }, 100));

  expect(shown.body.content).toEqual([
    expect.stringContaining(`Boot ${image.name}`),
    expect.stringContaining(`OperatingSystem Professional ${system.name}`),
  ])
  expect(await workOf(group)).toEqual([])
})

test('without the role package.read, the requester does not see what its computers get', async () => {
  const { group } = await waitingActivation(2)
  const requester = await principal('activation.execute', 'package.read')
  const blind = await principal('activation.execute')
  const body = { software: true, srl: { action: 'LogOff' } } as const
  const contentFor = async ({ call }: typeof requester) => {
    const refused = await call(activateGroup, { params: { id: group.id }, body })
    return (await call(getApproval, { params: { id: (refused.raw as Refusal).approvalId } })).body.content
  }

  expect(await contentFor(requester)).toHaveLength(1)
  expect(await contentFor(blind)).toEqual([])
})

/** Changes that may wait for approval and give computers nothing, each with what it does instead. */
const withoutContent: Record<string, string> = {
  deleteComputer: 'deletes',
  deleteComputers: 'deletes',
  deleteGroup: 'deletes',
  rebootComputer: 'reboots',
  rebootComputers: 'reboots',
  removeDistributionOptions: 'an activation follows, which counts itself',
  setDistributionOptions: 'an activation follows, which counts itself',
  stopPatchOfPolicy: 'rolls patches back',
  updatePatchPolicy: 'restarts computers later',
}

test('every change that may wait for approval declares what its computers get', () => {
  const counted = operations.filter(({ destructive, removals }) => destructive || removals)
  const undeclared = counted.filter(({ content }) => !content).map(({ id }) => id)

  expect(undeclared.sort()).toEqual(Object.keys(withoutContent))
})
