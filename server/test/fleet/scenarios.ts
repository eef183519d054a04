import type { Scenario } from '../platform/operations/scenarios.ts'

export const fleetScenarios: Record<string, Scenario> = {
  getFleetHistory: async () => ({ metric: 'computers' }),
  getComputerPage: async ({ given }) => ({ id: (await given.computer()).id }),
  getGroupPage: async ({ given }) => ({ id: (await given.group()).id }),
  getPackagePage: async ({ given }) => ({ id: (await given.package()).id }),
}
