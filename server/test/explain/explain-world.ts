import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

/** An agent world with explanations. */
export async function openExplainWorld() {
  const world = await openAgentWorld()
  const { agent, as, given } = world

  const request = (computer: { id: number }, query: object) =>
    as('computer.read').call(explainComputer, { params: { id: computer.id }, query })

  return {
    ...world,
    request,
    explain: async (computer: { id: number }, query: object) => (await request(computer, query)).body,

    /** An agent that has made a contact, in a group of its own below another one. */
    async placedAgent() {
      const computer = await agent()
      await computer.contact()
      const parent = await given.group()
      const group = await given.group({ parent })
      await given.member(group, computer)
      return { computer, parent, group }
    },
  }
}

export const reasonsIn = ({ blockers }: { blockers: { reason: string }[] }) => blockers.map(({ reason }) => reason)

export const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000)
