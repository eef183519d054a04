import type { Scenario } from '../platform/operations/scenarios.ts'

export const issuesScenarios: Record<string, Scenario> = {
  getComputerIssues: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  listSharedFailureDevices: async () => ({ query: { packageName: 'greet' } }),
}
