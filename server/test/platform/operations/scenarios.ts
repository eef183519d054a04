import { exampleOf } from '../../../src/platform/openapi/example.ts'
import type { AnyOperation } from '../../../src/platform/operation.ts'
import { agentInstallationScenarios } from '../../agent-installation/scenarios.ts'
import { blastRadiusScenarios } from '../../blast-radius/scenarios.ts'
import { catalogScenarios } from '../../catalog/scenarios.ts'
import { computersScenarios } from '../../computers/scenarios.ts'
import { customFieldsScenarios } from '../../custom-fields/scenarios.ts'
import { deploymentsScenarios } from '../../deployments/scenarios.ts'
import { depotsScenarios } from '../../depots/scenarios.ts'
import { enrolmentScenarios } from '../../enrolment/scenarios.ts'
import { explainScenarios } from '../../explain/scenarios.ts'
import { fleetScenarios } from '../../fleet/scenarios.ts'
import { groupMovesScenarios } from '../../group-moves/scenarios.ts'
import { groupsScenarios } from '../../groups/scenarios.ts'
import { issuesScenarios } from '../../issues/scenarios.ts'
import { osDeploymentScenarios } from '../../os-deployment/scenarios.ts'
import { packageLinesScenarios } from '../../package-lines/scenarios.ts'
import { packageTrialsScenarios } from '../../package-trials/scenarios.ts'
import { packageUploadsScenarios } from '../../package-uploads/scenarios.ts'
import { objectsScenarios } from '../../packages/object-scenarios.ts'
import { packagesScenarios } from '../../packages/scenarios.ts'
import { patchesScenarios } from '../../patch-management/scenarios.ts'
import { patchPoliciesScenarios } from '../../patch-policies/scenarios.ts'
import { administrationScenarios } from '../../principals/scenarios.ts'
import { reportsScenarios } from '../../reports/scenarios.ts'
import { rolloutsScenarios } from '../../rollouts/scenarios.ts'
import { selfServiceScenarios } from '../../self-service/scenarios.ts'
import { variablesScenarios } from '../../variables/scenarios.ts'
import { viewsScenarios } from '../../views/scenarios.ts'
import { vulnerabilitiesScenarios } from '../../vulnerabilities/scenarios.ts'
import { webhooksScenarios } from '../../webhooks/scenarios.ts'
import { wingetScenarios } from '../../winget/scenarios.ts'
import type { Scenario } from '../../world/scenario.ts'

const scenarios: Record<string, Scenario> = {
  ...administrationScenarios,
  ...computersScenarios,
  ...groupsScenarios,
  ...variablesScenarios,
  ...customFieldsScenarios,
  ...catalogScenarios,
  ...packagesScenarios,
  ...packageUploadsScenarios,
  ...packageLinesScenarios,
  ...wingetScenarios,
  ...depotsScenarios,
  ...deploymentsScenarios,
  ...rolloutsScenarios,
  ...objectsScenarios,
  ...enrolmentScenarios,
  ...agentInstallationScenarios,
  ...patchesScenarios,
  ...patchPoliciesScenarios,
  ...issuesScenarios,
  ...fleetScenarios,
  ...groupMovesScenarios,
  ...explainScenarios,
  ...osDeploymentScenarios,
  ...blastRadiusScenarios,
  ...selfServiceScenarios,
  ...packageTrialsScenarios,
  ...vulnerabilitiesScenarios,
  ...webhooksScenarios,
  ...reportsScenarios,
  ...viewsScenarios,
}

/** Operations without their own scenario are called with the example of their body. */
export function scenarioOf(operation: AnyOperation): Scenario {
  return scenarios[operation.id] ?? (async () => (operation.body ? { body: exampleOf(operation.body) } : {}))
}
