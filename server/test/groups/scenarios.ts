import type { Scenario } from '../operations/scenarios.ts'

export const groupsScenarios: Record<string, Scenario> = {}
