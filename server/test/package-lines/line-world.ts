import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { createPackageUpgrade } from '../../src/features/package-lines/api/create-package-upgrade.ts'
import { getPackageLine } from '../../src/features/package-lines/api/get-package-line.ts'
import { getPackageUpgrade } from '../../src/features/package-lines/api/get-package-upgrade.ts'
import { rollBackPackageUpgrade } from '../../src/features/package-lines/api/roll-back-package-upgrade.ts'
import { continueUnfinishedRollouts } from '../../src/features/rollouts/jobs/unfinished-rollouts.ts'
import type { PackageColumns } from '../channels/agent/agent-world.ts'
import { openConvergenceWorld } from '../convergence/convergence-world.ts'
import type { RolloutWorld } from '../rollouts/rollout-world.ts'
import type { Input } from '../world/caller.ts'

type UpgradeBody = NonNullable<
  Input<typeof createPackageUpgrade.params, typeof createPackageUpgrade.query, typeof createPackageUpgrade.body>['body']
>

type Agent = Awaited<ReturnType<RolloutWorld['join']>>

type Version = Awaited<ReturnType<RolloutWorld['readyPackage']>>

/** A world with packages of several versions, and groups that have them. */
export async function openLineWorld() {
  const world = await openConvergenceWorld()
  const { as, db, given, readyPackage, join, doWork } = world
  const person = as('activation.execute', 'group.write', 'package.read', 'package.write', 'computer.read')

  /** Packages with one name, in the order of the versions. */
  async function versions<const Numbers extends readonly string[]>(numbers: Numbers, columns: PackageColumns = {}) {
    const name = `7-zip ${randomBytes(6).toString('hex')}`
    const made = []
    for (const version of numbers)
      made.push(
        await readyPackage({
          ...{
            name,
            package_name: name,
            version,
            folder: `${name}-${version}-${randomBytes(3).toString('hex')}`,
            operating_systems: ['Linux'],
          },
          ...columns,
        }),
      )
    return made as unknown as { [Place in keyof Numbers]: Version }
  }

  /** A group of agents that have installed the package, which is assigned to the group. */
  async function groupWith(installed: { id: string }, size: number, parent?: { id: string }) {
    const group = await given.group({ tree: 'AssignmentGroups', ...(parent && { parent_id: parent.id }) })
    await given.assignment(group, installed, 'package')
    const agents: Agent[] = []
    for (let made = 0; made < size; made++) agents.push(await join(group))
    if (size > 0) {
      await activate(group)
      await doWork(agents)
    }
    // Tests that look at one of them have made one.
    return { group, agents: agents as [Agent, ...Agent[]] }
  }

  const activate = (group: { id: string }) =>
    as('activation.execute').call(activateGroup, { params: { id: group.id }, body: { software: true } })

  const upgrade = (
    { id }: { id: string },
    groups: readonly { id: string }[],
    body: Partial<UpgradeBody> = {},
    query: object = {},
  ) =>
    person.call(createPackageUpgrade, {
      params: { id },
      body: { groupIds: groups.map((group) => group.id), rings: [{ count: 1 }, {}], ...body },
      query,
    })

  const rollBack = (upgradeId: string, query: object = {}) =>
    person.call(rollBackPackageUpgrade, { params: { id: upgradeId }, query })

  const line = async ({ id }: { id: string }) => (await person.call(getPackageLine, { params: { id } })).body

  const readUpgrade = async (id: string) => (await person.call(getPackageUpgrade, { params: { id } })).body

  /** What the periodic task does. */
  const tickAll = () => continueUnfinishedRollouts(db)

  /** The packages that the computers have installed, by computer. */
  async function installed(computers: readonly { id: number }[]) {
    const { rows } = await sql<{ computer_id: number; package_id: string }>`
      select computer_id, package_id from deployments
      where installation_state = 'Installed' and computer_id = any(${computers.map(({ id }) => id)}::integer[])`.execute(
      db,
    )
    return computers.map(({ id }) => rows.filter((row) => row.computer_id === id).map((row) => row.package_id))
  }

  async function openPackageWork(computers: readonly { id: number }[]) {
    const { rows } = await sql<{ computer_id: number; package_id: string; kind: string }>`
      select computer_id, package_id, kind from work
      where state in ('Due', 'Leased') and computer_id = any(${computers.map(({ id }) => id)}::integer[])
      order by computer_id, kind desc`.execute(db)
    return rows
  }

  const assignedTo = async (group: { id: string }) => {
    const { rows } = await sql<{ package_id: string }>`
      select package_id from group_packages where group_id = ${group.id} order by package_id`.execute(db)
    return rows.map(({ package_id }) => package_id)
  }

  return {
    ...world,
    ...{
      person,
      versions,
      groupWith,
      activate,
      upgrade,
      rollBack,
      line,
      readUpgrade,
      tickAll,
      installed,
      openWork: openPackageWork,
      assignedTo,
    },
  }
}
