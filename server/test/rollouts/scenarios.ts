import { sql } from 'kysely'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

async function groupWithComputer({ given }: World) {
  const group = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(group, await given.package(), 'package')
  await given.member(group, await given.computer())
  return group
}

/** A rollout that was just created; `changes` are columns of it. */
const rollout =
  (changes = sql`name = name`): Scenario =>
  async (world) => {
    const group = await groupWithComputer(world)
    const body = { name: 'PDF viewer 24.2', groupId: group.id, rings: [{}] }
    const { rolloutId: id } = (await world.as('activation.execute', 'computer.read').call(createRollout, { body })).body
    await sql`update rollouts set ${changes} where id = ${id}`.execute(world.db)
    return { params: { id } }
  }

const pause = JSON.stringify({ code: 'ByPrincipal', by: 'client', reason: null, atUtc: null })

const computerWithTag: Scenario = async ({ given }) => ({ params: { id: (await given.computer()).id } })

export const rolloutsScenarios: Record<string, Scenario> = {
  createRollout: async (world) => ({
    body: { name: 'PDF viewer 24.2', groupId: (await groupWithComputer(world)).id, rings: [{ percent: 10 }, {}] },
  }),
  getRollout: rollout(),
  updateRollout: async (world) => ({ ...(await rollout()(world)), body: { name: 'Another name' } }),
  pauseRollout: rollout(),
  resumeRollout: rollout(sql`state = 'Paused', pause = ${pause}::jsonb`),
  advanceRollout: rollout(),
  cancelRollout: rollout(),
  retryRollout: async (world) => {
    const { params } = await rollout()(world)
    await sql`update rollout_computers set state = 'Failed' where rollout_id = ${params?.id}`.execute(world.db)
    return { params }
  },
  listRolloutComputers: rollout(),
  listComputerTags: computerWithTag,
  setComputerTags: async (world) => ({ ...(await computerWithTag(world)), body: { tagIds: [1] } }),
}
