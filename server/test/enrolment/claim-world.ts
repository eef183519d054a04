import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'

export type ClaimedComputer = { id: number; name: string; domain: string }

/** A world with agents that claim existing computers. */
export async function openClaimWorld() {
  const world = await openAgentWorld()
  const { as, enrolmentToken, withToken } = world
  const administrator = as('admin.manage')
  return {
    ...world,
    administrator,

    enrol: (body: ReturnType<typeof enrolment> & { installation?: string }) =>
      withToken(undefined).call(enrolAgent, { body }),

    /** An agent that knows name and domain of the computer, and nothing else of it. */
    async claim({ name, domain }: ClaimedComputer, token?: string) {
      const asked = enrolment()
      const body = { ...asked, token: token ?? (await enrolmentToken()).token }
      return { ...body, computer: { ...asked.computer, name, domain } }
    },

    /** What the trail shows of agents that reported this name, the latest first. */
    async auditedEnrolments({ name }: { name: string }) {
      const query = { operation: 'enrolAgent', top: 1000 }
      const { items } = (await administrator.call(listAuditEntries, { query })).body
      return items.filter(({ principalName }) => principalName === `agent of ${name}`)
    },
  }
}
