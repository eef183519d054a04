import type { Scenario } from '../operations/scenarios.ts'

export const customFieldsScenarios: Record<string, Scenario> = {}
