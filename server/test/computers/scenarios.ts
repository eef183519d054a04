import type { Scenario } from '../operations/scenarios.ts'

export const computersScenarios: Record<string, Scenario> = {}
