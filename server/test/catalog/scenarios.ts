import type { Scenario } from '../world/scenario.ts'

const scenario: Scenario = async () => ({
  body: { catalog: { variableDefinitions: [{ name: 'Printing', kind: 'Category', children: [{ name: 'Server' }] }] } },
})

export const catalogScenarios: Record<string, Scenario> = {
  planCatalog: scenario,
  applyCatalog: scenario,
  planDesiredState: async () => ({ body: { state: {} } }),
  applyDesiredState: async () => ({ body: { state: {}, plan: [] } }),
}
