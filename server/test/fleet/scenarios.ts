import type { Scenario } from '../platform/operations/scenarios.ts'

export const fleetScenarios: Record<string, Scenario> = {
  getFleetHistory: async () => ({ query: { metric: 'computers' } }),
}
