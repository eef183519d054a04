import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { enrolment } from '../channels/agent/agent-world.ts'
import type { Scenario } from '../platform/operations/scenarios.ts'
import type { World } from '../world/open-world.ts'

async function computerWithAgent({ as, withToken }: World) {
  const created = await as('computer.write').call(createEnrolmentToken, {
    body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
  })
  const body = { ...enrolment(), token: created.body.token }
  const enrolled = await withToken(undefined).call(enrolAgent, { body })
  return { params: { id: enrolled.body.clientId } }
}

export const enrolmentScenarios: Record<string, Scenario> = {
  createEnrolmentToken: async ({ given }) => ({
    body: { groupId: (await given.group()).id, maxUses: 5, expiresAtUtc: '2099-01-01T00:00:00Z' },
  }),
  revokeEnrolmentToken: async ({ as }) => {
    const { body } = await as('computer.write').call(createEnrolmentToken, {
      body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
    })
    return { params: { id: body.id } }
  },
  allowComputerReEnrolment: async (world) => ({
    ...(await computerWithAgent(world)),
    body: { untilUtc: '2099-01-01T00:00:00Z' },
  }),
  forbidComputerReEnrolment: computerWithAgent,
}
