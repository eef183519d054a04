import type { Scenario } from '../world/scenario.ts'

export const issuesScenarios: Record<string, Scenario> = {
  getComputerIssues: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  listSharedFailureDevices: async () => ({ query: { packageName: 'greet' } }),
}
