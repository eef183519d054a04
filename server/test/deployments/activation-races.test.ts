import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { deadlocksDuring } from '../groups/deadlocks.ts'
import { expectJustifiedWork } from '../world/justified-check.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const [operator, writer] = [as('activation.execute'), as('group.write')]
const state = deploymentStateIn(db, given)

const rounds = 5

/** Three computers in one group, each also in a group of its own. All groups have packages. */
async function crowd() {
  const [group, other] = [await given.group(), await given.group({ tree: 'AssignmentGroups' })]
  const computers = []
  for (let n = 0; n < 3; n++) {
    const own = await given.group({ tree: 'AssignmentGroups', parent: other })
    const computer = await given.computer()
    computers.push(computer)
    for (const one of [group, own]) {
      await given.member(one, computer)
      await given.assignment(one, await given.package(), 'package')
    }
  }
  const shared = await given.package()
  await given.assignment(other, shared, 'package')
  return { group, other, shared, computers }
}

type Crowd = Awaited<ReturnType<typeof crowd>>

const on = ({ group }: Crowd) =>
  operator.call(activateGroup, { params: { id: group.id }, body: { software: true, pull: true } })
const onOther = ({ other }: Crowd) =>
  operator.call(activateGroup, { params: { id: other.id }, body: { software: true, global: false } })
const onOne = ({ computers }: Crowd) =>
  operator.call(activateComputer, { params: { id: computers[0]?.id ?? 0 }, body: { software: true } })
const off = ({ group }: Crowd) => operator.call(deactivateGroup, { params: { id: group.id } })
const offOther = ({ other }: Crowd) =>
  operator.call(deactivateGroup, { params: { id: other.id }, query: { global: false } })
const offOne = ({ computers }: Crowd) => operator.call(deactivateComputer, { params: { id: computers[1]?.id ?? 0 } })

/** Each package of an activated group has exactly one open work item, and the deployments agree with it. */
async function expectConsistent({ computers }: Crowd) {
  for (const computer of computers) {
    const [work, active] = [await state.openWork(computer), await state.activations(computer)]
    const groups = active.filter(({ software }) => software).map(({ group_id }) => group_id ?? '')
    const published = await db
      .selectFrom('group_packages')
      .innerJoin('group_ancestors', 'group_ancestors.ancestor_id', 'group_packages.group_id')
      .select('package_id')
      .distinct()
      .where(
        'descendant_id',
        'in',
        groups.length > 0 ? groups : [computers[0] ? '00000000-0000-0000-0000-000000000000' : ''],
      )
      .execute()
    const packages = work.flatMap(({ package_id }) => package_id ?? [])
    expect(packages.toSorted()).toEqual(published.map(({ package_id }) => package_id).toSorted())
    expect(work.some(({ kind }) => kind === 'Refresh')).toBe(active.some(({ pull }) => pull))
    const waiting = await db
      .selectFrom('deployments')
      .select('package_id')
      .where('computer_id', '=', computer.id)
      .where('pending_since', 'is not', null)
      .execute()
    expect(waiting.map(({ package_id }) => package_id).toSorted()).toEqual(packages.toSorted())
  }
}

test.each([
  { name: 'activations', requests: [on, on, onOne, onOther] },
  { name: 'activations and deactivations', requests: [on, off, onOne, offOne] },
  { name: 'activations and deactivations through other groups', requests: [on, offOther, onOther, off] },
])(
  'concurrent $name all succeed and leave a consistent state',
  async ({ requests }) => {
    for (let round = 0; round < rounds; round++) {
      const world = await crowd()
      if (round % 2 === 0) await on(world)

      const deadlocks = await deadlocksDuring(async () => {
        const answers = await Promise.all(requests.map((request) => request(world)))
        expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200))
      })

      expect(deadlocks).toBe(0)
      await expectConsistent(world)
    }
  },
  60_000,
)

test('activation succeeds or is refused while groups and computers are deleted', async () => {
  for (let round = 0; round < rounds; round++) {
    const world = await crowd()
    const { group, other, computers } = world
    const query = { force: true }

    const answers = await Promise.all([
      on(world),
      as('group.write').call(deleteGroup, { params: { id: other.id }, query }),
      as('computer.write').call(deleteComputer, { params: { id: computers[2]?.id ?? 0 }, query }),
      onOne(world),
      round % 2 ? as('group.write').call(deleteGroup, { params: { id: group.id }, query }) : off(world),
    ])

    expect(Math.max(...answers.map(({ status }) => status))).toBeLessThan(500)
  }
}, 60_000)

test('activations leave no work behind whose group, member or assignment is removed at the same time', async () => {
  for (let round = 0; round < rounds; round++) {
    const world = await crowd()
    const { group, other, shared, computers } = world
    if (round % 2 === 0) await on(world)
    const computerIds = computers.slice(0, 2).map(({ id }) => id)

    const deadlocks = await deadlocksDuring(async () => {
      const answers = await Promise.all([
        on(world),
        writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds } }),
        onOther(world),
        writer.call(removeGroupPackage, { params: { id: other.id, packageId: shared.id } }),
        onOne(world),
      ])
      expect(Math.max(...answers.map(({ status }) => status))).toBeLessThan(300)
    })

    expect(deadlocks).toBe(0)
    await expectJustifiedWork(db)
    await expectConsistent(world)
  }
}, 60_000)

test('one of two concurrent requests to uninstall is refused because an uninstall is pending', async () => {
  const { computer, software, params } = await state.member()
  await state.installed(computer, software)

  const answers = await Promise.all(
    [1, 2].map(() => operator.call(uninstallSoftware, { params, body: { packageId: software.id } })),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await state.openWork(computer)).toHaveLength(1)
})
