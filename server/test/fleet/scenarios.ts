import type { Scenario } from '../world/scenario.ts'

export const fleetScenarios: Record<string, Scenario> = {
  getFleetHistory: async () => ({ query: { metric: 'computers' } }),
  searchFleet: async () => ({ query: { search: 'pc' } }),
  listSoftwareVersions: async () => ({ query: { software: 'openssl' } }),
  listSoftwareNames: async () => ({ query: { search: 'ssl' } }),
  listFilterValues: async () => ({ query: { property: 'model' } }),
  getComputerPage: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  listComputerEvents: async ({ given }) => ({ params: { id: (await given.computer()).id } }),
  getGroupPage: async ({ given }) => ({ params: { id: (await given.group()).id } }),
  listPackageFailures: async ({ given }) => ({ params: { id: (await given.package()).id } }),
  getIssuePage: async () => ({ params: { issue: 'low-disk' } }),
  listIssueComputers: async () => ({ params: { issue: 'low-disk' } }),
  getPatchPage: async ({ given }) => ({ params: { patchId: (await given.patch()).id } }),
  getPatchGroupPage: async ({ given }) => ({ params: { id: (await given.pmGroup()).id } }),
  listEmergencyCandidates: async ({ given }) => ({ params: { id: (await given.pmGroup()).id } }),
  getPackagePage: async ({ given }) => ({ params: { id: (await given.package()).id } }),
}
