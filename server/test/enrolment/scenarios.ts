import type { Scenario } from '../platform/operations/scenarios.ts'
import type { World } from '../world/open-world.ts'

async function computerWithAgent({ db, given }: World) {
  const { id } = await given.computer()
  await db
    .insertInto('agents')
    .values({ computer_id: id, secret_hash: Buffer.alloc(32), enrolment_key_hash: Buffer.alloc(32) })
    .execute()
  return { params: { id } }
}

export const enrolmentScenarios: Record<string, Scenario> = {
  createEnrolmentToken: async ({ given }) => ({
    body: { groupId: (await given.group()).id, maxUses: 5, expiresAtUtc: '2099-01-01T00:00:00Z' },
  }),
  revokeEnrolmentToken: async ({ db }) => {
    const token_hash = Buffer.from(String(Math.random()))
    const { id } = await db
      .insertInto('enrolment_tokens')
      .values({ token_hash, expires_at: new Date('2099-01-01') })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { params: { id } }
  },
  allowComputerReEnrolment: async (world) => ({
    ...(await computerWithAgent(world)),
    body: { untilUtc: '2099-01-01T00:00:00Z' },
  }),
  forbidComputerReEnrolment: computerWithAgent,
}
