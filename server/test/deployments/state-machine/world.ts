import type { AgentWorld } from '../../channels/agent/agent-world.ts'
import { machinesOf } from './machines.ts'
import { createObjects } from './objects.ts'
import { readingsOf } from './readings.ts'
import { requestsTo } from './requests.ts'

/** The world of the model, behind the API. */
export async function openStateMachine(world: AgentWorld) {
  const objects = await createObjects(world)
  return { packageOf: objects.packageOf, ...requestsTo(objects), ...machinesOf(objects), ...readingsOf(objects) }
}

export type StateMachine = Awaited<ReturnType<typeof openStateMachine>>
