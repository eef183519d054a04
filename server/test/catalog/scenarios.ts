import type { Scenario } from '../operations/scenarios.ts'

export const catalogScenarios: Record<string, Scenario> = {}
