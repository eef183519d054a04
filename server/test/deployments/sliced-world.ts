import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect } from 'vitest'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { makeSlice, makeSlices } from '../../src/features/deployments/jobs/make-slices.ts'
import { openWorld, type World } from '../world/open-world.ts'
import { deploymentStateIn } from './deployment-state.ts'

/** The kinds of the work that an activation of `threeComputers` creates for each of them. */
export const threeInstalls = ['Install', 'Install', 'Install']

/** Three computers in a group with two packages, and each also in a group of its own. The third has no MAC address. */
export async function threeComputers({ given }: Pick<World, 'given'>) {
  const group = await given.group()
  const addComputer = async (name: string, columns: Parameters<typeof given.computer>[0] = {}) => {
    const computer = await given.computer(columns)
    const own = await given.group({ tree: 'AssignmentGroups' })
    await given.assignment(own, await given.package({ name: `own of ${name}` }), 'package')
    for (const one of [own, group]) await given.member(one, computer)
    return computer
  }
  const [first, second] = [await addComputer('first'), await addComputer('second')]
  const third = await addComputer('third', { mac: null, uuid: randomUUID() })
  for (const name of ['editor', 'viewer']) await given.assignment(group, await given.package({ name }), 'package')
  return { group, first, second, third, computers: [first, second, third], params: { id: group.id } }
}

/** A world in which every activation of a group with work is large. Slices are made only when the test does so. */
export async function openSlicedWorld() {
  const world = await openWorld({ configuration: { slicedActivationItems: 1 } })
  const { as, db, given } = world
  const operator = as('activation.execute', 'group.write', 'computer.write')
  const state = deploymentStateIn(db, given)
  const context = { db, logger: pino({ level: 'silent' }), isBusy: () => false }
  return {
    ...world,
    operator,
    state,
    fleet: () => threeComputers(world),

    /** Creates the work of this many computers, as the periodic task of a node does. */
    slice: (computers = 1) => makeSlice(context, computers),

    allSlices: () => makeSlices(context).run(new AbortController().signal),

    /** Requests the activation and returns the id of its task. */
    async activate({ params }: { params: { id: string } }, body: object = { software: true }) {
      const answer = await operator.call(activateGroup, { params, body })
      return answer.body.trackingId ?? expect.fail('There is no task.')
    },

    taskOf: async (trackingId: string) =>
      (await as('computer.read').call(getTask, { params: { trackingId }, query: { top: 1 } })).body,

    kindsOf: async (computer: { id: number }) => (await state.openWork(computer)).map(({ kind }) => kind).toSorted(),
  }
}
