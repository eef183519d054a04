import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { enrolment } from '../channels/agent/agent-world.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** An agent that matches an existing computer by its name only. */
async function quarantinedAgent(world: World) {
  const { name, domain } = await world.given.computer()
  const { id: clientId } = (await computerWithAgent(world, { name, domain })).params
  const claim = await world.db
    .selectFrom('quarantined_agents')
    .select('id')
    .where('computer_id', '=', clientId)
    .execute()
  return { params: { id: claim[0]?.id } }
}

async function computerWithAgent({ as, withToken }: World, computer: object = {}) {
  const created = await as('admin.manage').call(createEnrolmentToken, {
    body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
  })
  const own = enrolment()
  const body = { ...own, token: created.body.token, computer: { ...own.computer, ...computer } }
  const enrolled = await withToken(undefined).call(enrolAgent, { body })
  return { params: { id: enrolled.body.clientId } }
}

export const enrolmentScenarios: Record<string, Scenario> = {
  createEnrolmentToken: async () => ({ body: { maxUses: 5, expiresAtUtc: '2099-01-01T00:00:00Z' } }),
  revokeEnrolmentToken: async ({ as }) => {
    const { body } = await as('admin.manage').call(createEnrolmentToken, {
      body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
    })
    return { params: { id: body.id } }
  },
  allowComputerReEnrolment: async (world) => ({
    ...(await computerWithAgent(world)),
    body: { untilUtc: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  forbidComputerReEnrolment: computerWithAgent,
  revokeAgentCredential: computerWithAgent,
  confirmQuarantinedAgent: quarantinedAgent,
  rejectQuarantinedAgent: quarantinedAgent,
}
