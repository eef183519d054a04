import { answerOf, api, versionOf } from '../../api/client.ts'
import type { components } from '../../api/types.ts'

type Schemas = components['schemas']
export type TreeGroup = Schemas['TreeGroup']
export type GroupPageData = Schemas['GroupPage']
export type AssignmentOfGroup = Schemas['AssignmentOfGroup']
export type GroupVariable = Schemas['FoundGroupVariableValue']
export type DistributionOptions = Schemas['DistributionOptions']
export type RuleCriteria = Schemas['GroupRuleCriteria']
export type RuleResult = Schemas['SetGroupRuleResult']
export type ConvergenceRing = Schemas['RolloutRingRequest']

/** The properties by which a rule selects computers, in the order in which they are shown. */
export const criteriaNames = ['names', 'domains', 'operatingSystems', 'models', 'networks', 'tags'] as const

/** Both trees, and everything else that lists groups. */
export const groupsKey = ['groups'] as const

export const treeQuery = {
  queryKey: [...groupsKey, 'tree'],
  queryFn: () => answerOf(api.GET('/api/fleet/group-tree')),
}

export const groupKey = (id: string) => ['group', id] as const

export const groupQuery = (id: string) => ({
  queryKey: groupKey(id),
  queryFn: () => answerOf(api.GET('/api/fleet/groups/{id}', { params: { path: { id } } })),
})

/** The group as it is changed, with its version. */
export const groupVersionQuery = (id: string) => ({
  queryKey: [...groupKey(id), 'version'],
  queryFn: () => versionOf(api.GET('/api/group/{id}', { params: { path: { id } } })),
})

export const ruleQuery = (id: string) => ({
  queryKey: [...groupKey(id), 'rule'],
  queryFn: () => versionOf(api.GET('/api/group/{id}/rule', { params: { path: { id } } })),
})

export const convergenceQuery = (id: string) => ({
  queryKey: [...groupKey(id), 'convergence'],
  queryFn: () => versionOf(api.GET('/api/group/{id}/convergence', { params: { path: { id } } })),
})

export const variablesQuery = (id: string) => ({
  queryKey: [...groupKey(id), 'variables'],
  queryFn: () =>
    answerOf(
      api.POST('/api/group/{id}/variables/search', {
        params: { path: { id }, query: { top: 1000 } },
        body: { includeInherited: true },
      }),
    ),
})

export const variableVersionQuery = (id: string, varId: number) => ({
  queryKey: [...groupKey(id), 'variable', varId],
  queryFn: () => versionOf(api.GET('/api/group/{id}/variables/{varId}', { params: { path: { id, varId } } })),
})

export const optionsQuery = (id: string, packageId: string | null) => ({
  queryKey: [...groupKey(id), 'options', packageId],
  queryFn: () =>
    versionOf(
      api.GET('/api/group/{id}/distribution-options', {
        params: { path: { id }, query: packageId ? { packageId } : {} },
      }),
    ),
})

export const explanationQuery = (id: string, packageId: string) => ({
  queryKey: [...groupKey(id), 'explain', packageId],
  queryFn: () => answerOf(api.GET('/api/group/{id}/explain', { params: { path: { id }, query: { packageId } } })),
})
