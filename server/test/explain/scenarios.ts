import type { Scenario } from '../world/scenario.ts'

export const explainScenarios: Record<string, Scenario> = {
  explainComputer: async ({ given }) => ({
    params: { id: (await given.computer()).id },
    query: { packageId: (await given.package()).id },
  }),
  explainGroup: async ({ given }) => ({
    params: { id: (await given.group()).id },
    query: { packageId: (await given.package()).id },
  }),
}
