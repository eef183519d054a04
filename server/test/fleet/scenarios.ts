import type { Scenario } from '../platform/operations/scenarios.ts'

export const fleetScenarios: Record<string, Scenario> = {
  getFleetHistory: async () => ({ query: { metric: 'computers' } }),
  getComputerPage: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  listComputerEvents: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  getGroupPage: async ({ given }) => ({ params: { id: (await given.group()).id } }),
  getPackagePage: async ({ given }) => ({ params: { id: (await given.package()).id } }),
}
