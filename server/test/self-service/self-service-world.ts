import { randomUUID } from 'node:crypto'
import { listSoftware } from '../../src/channels/agent/self-service/list-software.ts'
import { reportUserChoices } from '../../src/channels/agent/self-service/report-user-choices.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

/** A world of agents whose users look at their software and choose. */
export async function openSelfServiceWorld() {
  const world = await openAgentWorld()

  async function computerWithUser() {
    const computer = await world.agent()
    const made = () => ({ choiceId: randomUUID(), user: 'mia', atUtc: new Date().toISOString() })
    const report = (...choices: object[]) =>
      computer.itself.call(reportUserChoices, {
        body: { choices: choices.map((one) => ({ ...made(), ...one })) as never },
      })
    return {
      ...computer,
      reportResult: computer.report,
      report,
      /** What the user sees. */
      look: async () => (await computer.itself.call(listSoftware)).body,
      ask: (wish: string, reason = '') => report({ kind: 'Requested', wish, reason }),
    }
  }

  return { ...world, computerWithUser }
}
