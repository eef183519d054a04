import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Reported } from '../fake-server.ts'
import type { GivenWork } from '../given-work.ts'
import type { AgentKind, AgentWorld } from './agent-kind.ts'

/** An agent that runs while the tests of a suite give it work, because its start is what costs most under Wine. */
export type RunningAgentWorld = AgentWorld & {
  /** Gives work items and waits for their results. */
  results(...given: GivenWork[]): Promise<Reported[]>
}

/** Call it in a `describe`: the agent starts before its first test and ends after its last. If it ends, it starts again. */
export function useRunningAgent(kind: AgentKind): () => RunningAgentWorld {
  let running: RunningAgentWorld | undefined
  let isStarted = false
  beforeAll(async () => {
    const world = await kind.open(afterAll)
    const { server, give } = world
    server.nextContactSeconds = 1
    const results = async (...given: GivenWork[]) => {
      const workIds = given.map((one) => give(one))
      await world.wake?.()
      return kind.until(() => {
        const found = workIds.map((workId) => server.resultOf(workId))
        return found.every((result) => result !== undefined) ? (found as Reported[]) : undefined
      })
    }
    running = { ...world, results }
  })
  beforeEach(async () => {
    if (!running || isStarted) return
    isStarted = true
    const { server, start } = running
    const contacts = server.contacts.length
    void start('run').ended.then(() => {
      isStarted = false
    })
    await kind.until(() => server.contacts.length > contacts)
  }, 60_000)

  return () => {
    if (!running) throw new Error('The agent has not been started yet.')
    return running
  }
}
