import type { AnyOperation, ApiSection } from '../platform/operation.ts'
import { agentInstallationApi } from './agent-installation/api/index.ts'
import { agentsApi } from './agents/api/index.ts'
import { toSections } from './api-sections.ts'
import { assignmentsApi } from './assignments/api/index.ts'
import { auditApi } from './audit/api/index.ts'
import { blastRadiusApi } from './blast-radius/api/index.ts'
import { catalogApi } from './catalog/api/index.ts'
import { computersApi } from './computers/api/index.ts'
import { convergenceApi } from './convergence/api/index.ts'
import { customFieldsApi } from './custom-fields/api/index.ts'
import { decisionsApi } from './decisions/api/index.ts'
import { deploymentsApi } from './deployments/api/index.ts'
import { depotsApi } from './depots/api/index.ts'
import { distributionApi } from './distribution/api/index.ts'
import { enrolmentApi } from './enrolment/api/index.ts'
import { eventsApi } from './events/api/index.ts'
import { explainApi } from './explain/api/index.ts'
import { fleetApi } from './fleet/api/index.ts'
import { fleetHistoryApi } from './fleet-history/api/index.ts'
import { groupMovesApi } from './group-moves/api/index.ts'
import { groupsApi } from './groups/api/index.ts'
import { inventoryApi } from './inventory/api/index.ts'
import { issuesApi } from './issues/api/index.ts'
import { licencesApi } from './licences/api/index.ts'
import { mailApi } from './mail/api/index.ts'
import { osDeploymentApi } from './os-deployment/api/index.ts'
import { packageLinesApi } from './package-lines/api/index.ts'
import { packageTrialsApi } from './package-trials/api/index.ts'
import { packageUploadsApi } from './package-uploads/api/index.ts'
import { packagesApi } from './packages/api/index.ts'
import { patchManagementApi } from './patch-management/api/index.ts'
import { patchPoliciesApi } from './patch-policies/api/index.ts'
import { patchesApi } from './patches/api/index.ts'
import { preDownloadsApi } from './pre-downloads/api/index.ts'
import { principalsApi } from './principals/api/index.ts'
import { reportsApi } from './reports/api/index.ts'
import { rolloutsApi } from './rollouts/api/index.ts'
import { selfServiceApi } from './self-service/api/index.ts'
import { serviceApi } from './service/api/index.ts'
import { tagsApi } from './tags/api/index.ts'
import { variablesApi } from './variables/api/index.ts'
import { viewsApi } from './views/api/index.ts'
import { vulnerabilitiesApi } from './vulnerabilities/api/index.ts'
import { webhooksApi } from './webhooks/api/index.ts'
import { wingetApi } from './winget/api/index.ts'

/** Every operation of the API. */
export const operations: readonly AnyOperation[] = [
  ...principalsApi,
  ...computersApi,
  ...agentsApi,
  ...groupsApi,
  ...tagsApi,
  ...packagesApi,
  ...packageUploadsApi,
  ...wingetApi,
  ...assignmentsApi,
  ...distributionApi,
  ...deploymentsApi,
  ...packageTrialsApi,
  ...preDownloadsApi,
  ...rolloutsApi,
  ...packageLinesApi,
  ...convergenceApi,
  ...osDeploymentApi,
  ...selfServiceApi,
  ...inventoryApi,
  ...issuesApi,
  ...fleetApi,
  ...decisionsApi,
  ...viewsApi,
  ...groupMovesApi,
  ...fleetHistoryApi,
  ...patchesApi,
  ...patchManagementApi,
  ...patchPoliciesApi,
  ...vulnerabilitiesApi,
  ...variablesApi,
  ...customFieldsApi,
  ...depotsApi,
  ...enrolmentApi,
  ...agentInstallationApi,
  ...catalogApi,
  ...auditApi,
  ...eventsApi,
  ...webhooksApi,
  ...mailApi,
  ...licencesApi,
  ...reportsApi,
  ...blastRadiusApi,
  ...explainApi,
  ...serviceApi,
]

/** Every operation of the API, grouped by the tags of the OpenAPI document. */
export const sections: readonly ApiSection[] = toSections(operations)
