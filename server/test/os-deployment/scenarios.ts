import type { Scenario } from '../world/scenario.ts'
import { insertReportedInstallation } from './pending-installation.ts'

export const osDeploymentScenarios: Record<string, Scenario> = {
  getOsInstallation: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  confirmOsInstallation: async (world) => {
    const { id } = await world.given.computer()
    await insertReportedInstallation(world, { id })
    return { params: { id }, body: { address: '192.0.2.9' } }
  },
}
