import { expect, test } from 'vitest'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { activateComputers } from '../../src/features/deployments/api/selection/activate-computers.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { operations } from '../../src/features/index.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { continueRollout } from '../../src/features/rollouts/continue-rollout.ts'
import type { Refusal } from './approval-world.ts'
import { openRemovalWorld, slicedItems } from './removal-world.ts'

const {
  approve,
  as,
  attacker,
  countRemovals,
  createDeferredWork,
  db,
  declare,
  move,
  openDisputedFleet,
  openFleet,
  publications,
  setQuota,
  slices,
  uninstall,
  ways,
  withAssignment,
  workOn,
} = await openRemovalWorld()

/** What makes work due after the answer: a large activation, and a rollout. */
const deferred = ['activateGroup', 'createRollout']

test.each(Object.entries(ways))('software is not removed without an approval because of %s', async (name, bring) => {
  const by = await attacker()
  const fleet = await openFleet({ isAssigned: withAssignment.includes(name) })
  await setQuota(0)
  await declare(by, fleet)

  expect((await bring(by, fleet)).status).toBeLessThan(300)
  const refused = await by.call(activateComputers, { body: { computerIds: fleet.ids } })
  const removedBefore = await countRemovals(fleet)
  const approved = await approve((refused.raw as Refusal).approvalId)

  expect(refused.problem).toBe('ApprovalRequired')
  expect(refused.raw).toMatchObject({ computerCount: 2, quota: 0 })
  expect(removedBefore).toBe(0)
  expect(approved.body).toMatchObject({ state: 'Executed', answerStatus: 200 })
  expect(await countRemovals(fleet)).toBe(2)
})

test.each(Object.entries(publications))(
  '%s counts the computers from which it removes software',
  async (_name, publish) => {
    const by = await attacker()
    const fleet = await openFleet()
    await setQuota(0)
    await declare(by, fleet)
    await move(by, fleet)

    const refused = await publish(by, fleet)

    expect(refused.problem).toBe('ApprovalRequired')
    expect(await countRemovals(fleet)).toBe(0)
  },
)

test('for every operation that makes work due, it is known that it counts removals', () => {
  const publishing = operations.filter(({ removals }) => removals === 'Published')

  expect(publishing.map(({ id }) => id).sort()).toEqual(Object.keys(publications).sort())
})

test('an activation without removals counts nothing', async () => {
  const by = await attacker()
  const fleet = await openFleet()
  await setQuota(0)

  const answer = await by.call(activateGroup, { params: { id: fleet.group.id }, body: { software: true } })

  expect(answer.status).toBe(200)
})

test('who was charged for the declaration is not charged again for the activation of the same computers', async () => {
  const by = await attacker()
  const fleet = await openFleet()
  await setQuota(2)
  await by.call(setDistributionOptions, { params: { id: fleet.group.id }, body: uninstall })

  const activated = await by.call(activateGroup, { params: { id: fleet.group.id }, body: { software: true } })
  const other = await openFleet({ size: 1 })
  await declare(by, other)
  await move(by, other)
  const refused = await by.call(activateGroup, { params: { id: other.trap.id }, body: { software: true } })

  expect(activated.status).toBe(200)
  expect(await countRemovals(fleet)).toBe(2)
  expect(refused.raw).toMatchObject({ code: 'ApprovalRequired', usedInLastHour: 2, quota: 2 })
})

test('a large activation counts removals when it is requested', async () => {
  const by = await attacker()
  const fleet = await openFleet({ size: slicedItems })
  await setQuota(slicedItems - 1)
  await declare(by, fleet)
  await move(by, fleet)
  const request = { params: { id: fleet.trap.id }, body: { software: true } }

  const refused = await by.call(activateGroup, request)
  await setQuota(slicedItems)
  const accepted = await by.call(activateGroup, request)
  await slices()

  expect(refused.raw).toMatchObject({ code: 'ApprovalRequired', computerCount: slicedItems })
  expect(accepted.status).toBe(200)
  expect(await countRemovals(fleet)).toBe(slicedItems)
})

test('what is requested as an activation without removals removes nothing later', async () => {
  const by = await attacker()
  const [large, staged, free] = [await openFleet({ size: slicedItems }), await openFleet(), await openFleet()]
  const rollout = async ({ group }: { group: { id: string } }) =>
    (await by.call(createRollout, { body: { name: 'Later', groupId: group.id, rings: [{}] } })).body.rolloutId
  const unlimited = await rollout(free)
  await setQuota(0)
  const accepted = await by.call(activateGroup, { params: { id: large.group.id }, body: { software: true } })
  const limited = await rollout(staged)
  for (const fleet of [large, staged, free]) {
    await declare(by, fleet)
    await move(by, fleet)
  }

  await slices()
  for (const id of [limited, unlimited]) await continueRollout(db, id)

  expect(accepted.status).toBe(200)
  expect([await countRemovals(large), await countRemovals(staged)]).toEqual([0, 0])
  // A principal without a quota when the rollout is created is not limited by a later one.
  expect(await countRemovals(free)).toBe(2)
})

const { installOnComputers: install = expectPublication } = publications

/** They bring another version, or another package, as well. */
const ofVersions = ['createPackageUpgrade', 'rollBackPackageUpgrade', 'installOnComputers']

test.each(Object.entries(publications).filter(([name]) => !ofVersions.includes(name)))(
  'an approved %s brings what the approver has seen, and nothing that follows from later changes',
  async (name, publish) => {
    const by = await attacker()
    const fleet = await openDisputedFleet(name)
    await setQuota(0)

    const { approvalId } = (await publish(by, fleet)).raw as Refusal
    const shown = await as('admin.manage').call(getApproval, { params: { id: approvalId } })
    const approved = await approve(approvalId)
    await fleet.dispute(by)
    await createDeferredWork()

    expect(shown.body.content).toEqual([expect.stringContaining(`Uninstall ${fleet.made.name}`)])
    expect(approved.body).toMatchObject({ state: 'Executed' })
    expect(await workOn(fleet)).toEqual([{ package_id: fleet.made.id, kind: 'Uninstall' }])
  },
)

test('an approved installation on a selection removes what the package replaces, as the approver has seen', async () => {
  const by = await attacker()
  const fleet = await openFleet({ isAssigned: false })
  await setQuota(0)

  const { approvalId } = (await install(by, fleet)).raw as Refusal
  const shown = await as('admin.manage').call(getApproval, { params: { id: approvalId } })
  const approved = await approve(approvalId)

  expect(shown.body.content).toEqual([
    expect.stringContaining('Install package'),
    expect.stringContaining(`Uninstall ${fleet.made.name}`),
  ])
  expect(approved.body).toMatchObject({ state: 'Executed' })
  expect(await countRemovals(fleet)).toBe(2)
})

const { rollBackPackageUpgrade: rollBack = expectPublication } = publications

function expectPublication(): never {
  throw new Error('There is no such publication.')
}

test('an approved rollback uninstalls the version and installs the one before it, as the approver has seen', async () => {
  const by = await attacker()
  const fleet = await openFleet()
  await setQuota(0)

  const { approvalId } = (await rollBack(by, fleet)).raw as Refusal
  const shown = await as('admin.manage').call(getApproval, { params: { id: approvalId } })
  const approved = await approve(approvalId)
  await createDeferredWork()

  expect(shown.body.content).toEqual([
    expect.stringMatching(/^Install .* 0\.9/),
    expect.stringContaining(`Uninstall ${fleet.made.name}`),
    expect.stringMatching(/^Update .* 0\.9/),
  ])
  expect(approved.body).toMatchObject({ state: 'Executed', answerStatus: 200 })
  expect((await workOn(fleet)).map(({ kind }) => kind).sort()).toEqual(['Install', 'Uninstall'])
})

test.each(deferred)('%s removes later only what was counted when it was requested', async (name) => {
  const by = await attacker()
  const fleet = await openDisputedFleet(name)
  await setQuota(fleet.ids.length)

  const accepted = await publications[name]?.(by, fleet)
  await fleet.dispute(by)
  await createDeferredWork()

  expect(accepted?.problem).toBeUndefined()
  expect(await workOn(fleet)).toEqual([
    { package_id: fleet.added.id, kind: 'Install' },
    { package_id: fleet.made.id, kind: 'Uninstall' },
  ])
})

test('the declaration of a removal counts all computers that could be affected, even if another principal activates them', async () => {
  const by = await attacker()
  const fleet = await openFleet()
  await setQuota(1)

  const refused = await by.call(setDistributionOptions, { params: { id: fleet.group.id }, body: uninstall })

  expect(refused.problem).toBe('ApprovalRequired')
  expect((await as('activation.execute').call(activateComputers, { body: { computerIds: fleet.ids } })).status).toBe(
    200,
  )
  expect(await countRemovals(fleet)).toBe(0)
})
