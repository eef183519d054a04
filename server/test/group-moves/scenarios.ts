import type { Scenario } from '../world/scenario.ts'

export const groupMovesScenarios: Record<string, Scenario> = {
  moveGroup: async ({ given }) => ({
    params: { id: (await given.group()).id },
    body: { parentId: (await given.group()).id },
  }),
}
