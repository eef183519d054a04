import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { assignGroupSoftwareClass } from '../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { getApproval } from '../../src/features/blast-radius/api/get-approval.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { retryPackage } from '../../src/features/deployments/api/retry/retry-package.ts'
import { activateComputers } from '../../src/features/deployments/api/selection/activate-computers.ts'
import { retryTask } from '../../src/features/deployments/api/tasks/retry-task.ts'
import { makeSlice } from '../../src/features/deployments/jobs/make-slices.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { addSelectionToGroup } from '../../src/features/groups/api/add-selection-to-group.ts'
import { setGroupRule } from '../../src/features/groups/api/set-group-rule.ts'
import { operations } from '../../src/features/index.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { continueRollout } from '../../src/features/rollouts/continue-rollout.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openApprovalWorld, type Refusal } from './approval-world.ts'

/** From this number of work items on, they are created after the answer. */
const slicedItems = 30

const { approve, as, db, given, principal, setQuota } = await openApprovalWorld({ slicedActivationItems: slicedItems })
const { deployment, task, work } = deploymentsIn(db, given)

type Computer = { id: number; name: string }
type Attacker = Awaited<ReturnType<typeof principal>>
type Fleet = Awaited<ReturnType<typeof openFleet>>

const attacker = () => principal('activation.execute', 'group.write', 'computer.read')
const uninstall: { commands: ['Uninstall'] } = { commands: ['Uninstall'] }

/** Computers that have a package, a group of theirs, and an empty group whose packages are uninstalled. */
async function openFleet({ isAssigned = true, size = 2 } = {}) {
  const [trap, group, made] = [
    await given.group({ tree: 'AssignmentGroups' }),
    await given.group({ tree: 'AssignmentGroups' }),
    await given.package({ is_operational: true }),
  ]
  if (isAssigned) await given.assignment(group, made, 'package')
  const computers: Computer[] = []
  for (let count = 0; count < size; count++) {
    const computer = await given.computer()
    await deployment(computer, made, { installation_state: 'Installed' })
    await given.member(group, computer)
    computers.push(computer)
  }
  const ids = computers.map(({ id }) => id)
  return { trap, group, made, computers, ids }
}

const declare = async ({ call }: Attacker, { trap }: Fleet) =>
  expect((await call(setDistributionOptions, { params: { id: trap.id }, body: uninstall })).status).toBe(200)

const move = async ({ call }: Attacker, { trap, group }: Fleet) =>
  call(moveGroup, { params: { id: group.id }, body: { parentId: trap.id } })

/** What brings computers under options that were declared where no computer was. Each ends with the computers below `trap`. */
const ways: Record<string, (by: Attacker, fleet: Fleet) => Promise<{ status: number }>> = {
  moveGroup: move,
  addGroupComputers: async ({ call }, { trap, made, ids }) => {
    await call(assignGroupPackage, { params: { id: trap.id }, body: { packageId: made.id } })
    return call(addGroupComputers, { params: { id: trap.id }, body: { computerIds: ids } })
  },
  addSelectionToGroup: async ({ call }, { trap, made, ids }) => {
    await call(assignGroupPackage, { params: { id: trap.id }, body: { packageId: made.id } })
    return call(addSelectionToGroup, { params: { id: trap.id }, body: { computerIds: ids } })
  },
  setGroupRule: async ({ call }, { trap, made, computers }) => {
    await call(assignGroupPackage, { params: { id: trap.id }, body: { packageId: made.id } })
    const names = computers.map(({ name }) => name)
    return call(setGroupRule, { params: { id: trap.id }, body: { criteria: { names } } })
  },
  assignGroupPackage: async (by, fleet) => {
    await move(by, fleet)
    return by.call(assignGroupPackage, { params: { id: fleet.trap.id }, body: { packageId: fleet.made.id } })
  },
  assignGroupSoftwareClass: async (by, fleet) => {
    await move(by, fleet)
    const { id: classId } = await given.softwareClass({ packages: [fleet.made] })
    return by.call(assignGroupSoftwareClass, { params: { id: fleet.trap.id }, body: { classId } })
  },
  replacePackage: async (by, fleet) => {
    await move(by, fleet)
    const before = await given.package()
    await given.assignment(fleet.group, before, 'package')
    return by.call(replacePackage, { body: { oldPackageId: before.id, newPackageId: fleet.made.id } })
  },
  removeGroupPackage: async ({ call }, { trap, group, made, ids }) => {
    await call(addGroupComputers, { params: { id: trap.id }, body: { computerIds: ids } })
    await call(assignGroupPackage, { params: { id: trap.id }, body: { packageId: made.id } })
    return call(removeGroupPackage, { params: { id: group.id, packageId: made.id } })
  },
}
const withAssignment = ['moveGroup', 'removeGroupPackage']

/** What makes work due. */
const publications: Record<
  string,
  (by: Attacker, fleet: Fleet) => Promise<{ problem?: string | undefined; raw: unknown }>
> = {
  activateGroup: ({ call }, { trap }) => call(activateGroup, { params: { id: trap.id }, body: { software: true } }),
  activateComputer: ({ call }, { ids: [id = 0] }) =>
    call(activateComputer, { params: { id }, body: { software: true } }),
  activateComputers: ({ call }, { ids }) => call(activateComputers, { body: { computerIds: ids } }),
  createRollout: ({ call }, { trap }) =>
    call(createRollout, { body: { name: 'Removal', groupId: trap.id, rings: [{}] } }),
  retryTask: async ({ call }, fleet) => {
    const { id } = await failedTask(fleet)
    return call(retryTask, { params: { trackingId: id } })
  },
  retryPackage: async ({ call }, fleet) => {
    await failedTask(fleet)
    await sql`update deployments set result = 'Failed', failed_at = now(), error_text = 'Full' where package_id = ${fleet.made.id}`.execute(
      db,
    )
    return call(retryPackage, { params: { id: fleet.made.id }, body: {} })
  },
}

/** The computers are activated, and the package has failed on them. */
async function failedTask({ ids, computers, made }: Fleet) {
  await sql`
    insert into activations (computer_id, group_id, software, pxe, pull)
    select computer_id, group_id, true, false, false from group_computers where computer_id = any(${ids}::integer[])
    on conflict do nothing`.execute(db)
  const { id } = await task()
  for (const computer of computers) await work(computer, made, { state: 'Failed', task_id: id })
  return { id }
}

async function countRemovals({ ids }: Fleet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from work
    where computer_id = any(${ids}::integer[]) and kind in ('Uninstall', 'Reinstall') and state = 'Due'`.execute(db)
  return rows[0]?.count ?? 0
}

const slices = () => makeSlice({ db, logger: pino({ level: 'silent' }) }, 100)

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
  const rollout = async ({ group }: Fleet) =>
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

/** What makes work due after the answer: a large activation, and a rollout. */
const deferred = ['activateGroup', 'createRollout']

/**
 * Computers that lose one package, for which somebody asks, and have another one. Then somebody else declares the removal of
 * everything where no computer is, moves the computers there, and assigns a third package.
 */
async function openDisputedFleet(publication: string) {
  const fleet = await openFleet({ size: publication === 'activateGroup' ? slicedItems : 2 })
  const [vital, added] = [await given.package({ is_operational: true }), await given.package({ is_operational: true })]
  await given.assignment(fleet.group, vital, 'package')
  for (const computer of fleet.computers) await deployment(computer, vital, { installation_state: 'Installed' })
  const params = { id: fleet.group.id }
  await as('group.write').call(setDistributionOptions, { params, query: { packageId: fleet.made.id }, body: uninstall })
  await as('group.write').call(moveGroup, { params, body: { parentId: fleet.trap.id } })
  async function dispute(by: Attacker) {
    const everything = await given.group({ tree: 'AssignmentGroups' })
    await declare(by, { ...fleet, trap: everything })
    expect((await move(by, { ...fleet, group: fleet.trap, trap: everything })).status).toBe(200)
    await by.call(assignGroupPackage, { params, body: { packageId: added.id } })
    const body = { commands: ['Install' as const] }
    await by.call(setDistributionOptions, { params, query: { packageId: added.id }, body })
  }
  return { ...fleet, added, dispute }
}

/** What a task in the background does. */
async function createDeferredWork() {
  while (await slices());
  const { rows } = await sql<{ id: string }>`select id from rollouts where ended_at is null`.execute(db)
  for (const { id } of rows) await continueRollout(db, id)
}

const workOn = async ({ ids }: Fleet) =>
  db
    .selectFrom('work')
    .where('computer_id', 'in', ids)
    .where('state', '=', 'Due')
    .select(['package_id', 'kind'])
    .distinct()
    .orderBy('kind')
    .execute()

test.each(Object.entries(publications))(
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
