import type { Scenario } from '../world/scenario.ts'

export const customFieldsScenarios: Record<string, Scenario> = {
  updateCustomField: async () => ({ params: { slot: 'Custom07' }, body: { designation: 'Room', isActive: true } }),
}
