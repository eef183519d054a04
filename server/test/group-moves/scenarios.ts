import type { Scenario } from '../platform/operations/scenarios.ts'

export const groupMovesScenarios: Record<string, Scenario> = {
  moveGroup: async ({ given }) => ({
    params: { id: (await given.group()).id },
    body: { parentId: (await given.group()).id },
  }),
}
