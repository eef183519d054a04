import { sql } from 'kysely'
import { afterEach, expect } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { getGroupConvergence } from '../../src/features/convergence/api/get-group-convergence.ts'
import { removeGroupConvergence } from '../../src/features/convergence/api/remove-group-convergence.ts'
import { setGroupConvergence } from '../../src/features/convergence/api/set-group-convergence.ts'
import { convergeMarkedGroups } from '../../src/features/convergence/jobs/converge-groups.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { listRollouts } from '../../src/features/rollouts/api/list-rollouts.ts'
import { continueUnfinishedRollouts } from '../../src/features/rollouts/jobs/unfinished-rollouts.ts'
import { openRolloutWorld } from '../rollouts/rollout-world.ts'
import type { Input } from '../world/caller.ts'

type SetBody = NonNullable<
  Input<typeof setGroupConvergence.params, typeof setGroupConvergence.query, typeof setGroupConvergence.body>['body']
>

type Group = { id: string }

/** A world with groups whose members are kept converged. */
export async function openConvergenceWorld(...options: Parameters<typeof openRolloutWorld>) {
  const world = await openRolloutWorld(...options)
  const { as, db, given, readyPackage, join } = world
  const operator = as('activation.execute', 'group.read', 'group.write', 'computer.read')

  const setConvergence = ({ id }: Group, body: Partial<SetBody> = {}) =>
    operator.call(setGroupConvergence, { params: { id }, body: { state: 'On', ...body } })

  const convergence = async ({ id }: Group) => (await operator.call(getGroupConvergence, { params: { id } })).body

  const removeConvergence = ({ id }: Group) => operator.call(removeGroupConvergence, { params: { id } })

  /** A group that is kept converged, with agents and without assignments. */
  async function convergedFleet(size: number, body: Partial<SetBody> = {}) {
    const group = await given.group({ tree: 'AssignmentGroups' })
    expect((await setConvergence(group, body)).status).toBe(200)
    const agents = []
    for (let made = 0; made < size; made++) agents.push(await join(group))
    return { group, agents }
  }

  /** What the periodic tasks do within two minutes. The time between two waves of a group has passed. */
  async function converge(): Promise<void> {
    await sql`update group_convergence set wave_at = null where wave_at is not null`.execute(db)
    await convergeMarkedGroups(db, { maxRingPercent: 100 })
    await continueUnfinishedRollouts(db)
  }

  // The tasks look at all groups and waves: those of earlier tests would make each test more expensive than the one before.
  afterEach(async () => {
    await sql`
      with ended as (update rollouts set state = 'Cancelled', pause = null, ended_at = now() where ended_at is null)
      delete from group_convergence`.execute(db)
  })

  async function assign(group: Group, made: { id: string }): Promise<void> {
    const assigned = await operator.call(assignGroupPackage, { params: { id: group.id }, body: { packageId: made.id } })
    expect(assigned.status).toBeLessThan(300)
  }

  async function assignNew(group: Group) {
    const made = await readyPackage()
    await assign(group, made)
    return made
  }

  const add = (group: Group, computers: readonly { id: number }[]) =>
    operator.call(addGroupComputers, {
      params: { id: group.id },
      body: { computerIds: computers.map(({ id }) => id) },
    })

  /** For all packages of the group, or for one of them. */
  async function setCommands({ id }: Group, command: 'Install' | 'Uninstall', made?: { id: string }): Promise<void> {
    const query = made ? { packageId: made.id } : {}
    const set = await operator.call(setDistributionOptions, { params: { id }, query, body: { commands: [command] } })
    expect(set.status).toBe(200)
  }

  const waves = async ({ id }: Group) =>
    (await operator.call(listRollouts, { query: { groupId: id, isWave: true, top: 100 } })).body.items

  /** The open work of the computers: names of packages and kinds. */
  async function openWork(computers: readonly { id: number }[]) {
    const { rows } = await sql<{ id: number; package: string; kind: string }>`
      select computer_id as id, package_id::text as package, kind from work
      where computer_id = any(${computers.map(({ id }) => id)}::integer[]) and state in ('Due', 'Leased')
      order by computer_id, package_id`.execute(db)
    return rows
  }

  return {
    ...world,
    operator,
    ...{
      setConvergence,
      convergence,
      removeConvergence,
      convergedFleet,
      converge,
      assign,
      assignNew,
      add,
      setCommands,
    },
    ...{ waves, openWork },
  }
}
