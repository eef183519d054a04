import { sql } from 'kysely'
import { pino } from 'pino'
import { expect } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { assignGroupSoftwareClass } from '../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { replacePackage } from '../../src/features/assignments/api/groups/replace-package.ts'
import { setGroupConvergence } from '../../src/features/convergence/api/set-group-convergence.ts'
import { convergeMarkedGroups } from '../../src/features/convergence/jobs/converge-groups.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { retryPackage } from '../../src/features/deployments/api/retry/retry-package.ts'
import { activateComputers } from '../../src/features/deployments/api/selection/activate-computers.ts'
import { installOnComputers } from '../../src/features/deployments/api/selection/install-on-computers.ts'
import { retryTask } from '../../src/features/deployments/api/tasks/retry-task.ts'
import { makeSlice } from '../../src/features/deployments/jobs/make-slices.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { addSelectionToGroup } from '../../src/features/groups/api/add-selection-to-group.ts'
import { setGroupRule } from '../../src/features/groups/api/set-group-rule.ts'
import { createPackageUpgrade } from '../../src/features/package-lines/api/create-package-upgrade.ts'
import { rollBackPackageUpgrade } from '../../src/features/package-lines/api/roll-back-package-upgrade.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { resumeRollout } from '../../src/features/rollouts/api/resume-rollout.ts'
import { continueRollout } from '../../src/features/rollouts/continue-rollout.ts'
import { approvePackageRequest } from '../../src/features/self-service/api/approve-package-request.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openApprovalWorld } from './approval-world.ts'

/** From this number of work items on, they are created after the answer. */
export const slicedItems = 30

/** Computers whose software somebody wants to remove without an approval, and the ways to do so. */
export async function openRemovalWorld() {
  const world = await openApprovalWorld({ slicedActivationItems: slicedItems })
  const { as, db, given, principal } = world
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
    installOnComputers: async ({ call }, { made, ids }) => {
      const next = await given.package({ is_operational: true, hash_state: 'Current' })
      await sql`
        insert into package_supersedes (package_id, superseded_name, uninstalls_first)
        select ${next.id}::uuid, package_name, true from packages where id = ${made.id}`.execute(db)
      return call(installOnComputers, { body: { computerIds: ids, packageId: next.id } })
    },
    createRollout: ({ call }, { trap }) =>
      call(createRollout, { body: { name: 'Removal', groupId: trap.id, rings: [{}] } }),
    resumeRollout: async ({ call }, { trap }) => {
      await call(setGroupConvergence, { params: { id: trap.id }, body: { state: 'On', maxRemovals: 0 } })
      await convergeMarkedGroups(db, { maxRingPercent: 100 })
      const waves = db.selectFrom('rollouts').select('id').where('group_id', '=', trap.id)
      const { id } = await waves.executeTakeFirstOrThrow()
      return call(resumeRollout, { params: { id } })
    },
    createPackageUpgrade: async ({ call }, fleet) => {
      const old = await olderVersion(fleet)
      await given.assignment(fleet.group, old, 'package')
      const body = { groupIds: [fleet.group.id] }
      return call(createPackageUpgrade, { params: { id: fleet.made.id }, body })
    },
    rollBackPackageUpgrade: async ({ call }, fleet) =>
      call(rollBackPackageUpgrade, { params: { id: await upgradeTo(fleet, await olderVersion(fleet)) } }),
    approvePackageRequest: async ({ call }, { ids: [id = 0], made }) => {
      const { rows } = await sql<{ id: string }>`
        insert into package_requests (computer_id, choice_id, wish, user_name)
        values (${id}, gen_random_uuid(), 'An editor', 'mia') returning id`.execute(db)
      const params = { id: rows[0]?.id ?? '' }
      return call(approvePackageRequest, { params, body: { packageId: made.id } })
    },
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

  /** Another version of the package, which is newer. */
  async function olderVersion({ made }: Fleet) {
    await sql`update packages set hash_state = 'Current' where id = ${made.id}`.execute(db)
    const columns = { is_operational: true, hash_state: 'Current', version: '0.9' }
    return given.package({ ...columns, package_name: made.name })
  }

  /** An upgrade that has brought the package to the computers. */
  async function upgradeTo({ made, group, ids }: Fleet, old: { id: string }): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      with upgrade as (
        insert into package_upgrades (package_id, line_key, created_by, created_by_id)
        values (${made.id}, lower(${made.name}), 'somebody', 1) returning id
      ), of_group as (
        insert into package_upgrade_groups (upgrade_id, group_id, old_package_id, rollout_group_id)
        select id, ${group.id}, ${old.id}, ${group.id} from upgrade
      ), rollout as (
        insert into rollouts (name, group_id, package_id, criteria, created_by, upgrade_id, state, ended_at)
        select 'Upgrade', ${group.id}, ${made.id}, '{}', 'somebody', id, 'Completed', now() from upgrade returning id
      ), placed as (
        insert into rollout_computers (rollout_id, computer_id, ring, position, state, released_at)
        select rollout.id, computer_id, 1, 0.5, 'Succeeded', now() from rollout, unnest(${ids}::integer[]) as computer_id
      )
      select id from upgrade`.execute(db)
    return rows[0]?.id ?? ''
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

  /**
   * Computers that lose one package, for which somebody asks, and have another one. Then somebody else declares the removal of
   * everything where no computer is, moves the computers there, and assigns a third package.
   */
  async function openDisputedFleet(publication: string) {
    const fleet = await openFleet({ size: publication === 'activateGroup' ? slicedItems : 2 })
    const [vital, added] = [
      await given.package({ is_operational: true }),
      await given.package({ is_operational: true }),
    ]
    await given.assignment(fleet.group, vital, 'package')
    for (const computer of fleet.computers) await deployment(computer, vital, { installation_state: 'Installed' })
    const params = { id: fleet.group.id }
    await as('group.write').call(setDistributionOptions, {
      params,
      query: { packageId: fleet.made.id },
      body: uninstall,
    })
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

  return {
    ...world,
    attacker,
    uninstall,
    openFleet,
    declare,
    move,
    ways,
    withAssignment,
    publications,
    countRemovals,
    slices,
    openDisputedFleet,
    createDeferredWork,
    workOn,
  }
}
