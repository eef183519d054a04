import type { Scenario } from '../operations/scenarios.ts'

export const variablesScenarios: Record<string, Scenario> = {}
