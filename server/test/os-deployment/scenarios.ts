import type { Scenario } from '../world/scenario.ts'

export const osDeploymentScenarios: Record<string, Scenario> = {
  getOsInstallation: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  confirmOsInstallation: async ({ db, given }) => {
    const { id } = await given.computer()
    const activation = await db
      .insertInto('activations')
      .values({ computer_id: id, pxe: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const report = { reported_at: new Date(), reported_from: '192.0.2.9', status: 'Success' }
    await db
      .insertInto('boot_grants')
      .values({ computer_id: id, activation_id: activation.id, address: '192.0.2.9', language_packs: [], ...report })
      .execute()
    return { params: { id }, body: { address: '192.0.2.9' } }
  },
}
