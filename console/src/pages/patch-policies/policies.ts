import { api, type Schemas, versionOf } from '../../api/client.ts'

export type PatchPolicy = Schemas['PatchPolicy']
export type PatchRule = Schemas['PatchRule']
export type PatchRing = Schemas['PatchRing']
export type PatchRestart = Schemas['PatchRestart']
export type PatchProgress = Schemas['PatchProgress']

export const policiesKey = ['patches', 'policies'] as const

export const policyQuery = (id: number) => ({
  queryKey: [...policiesKey, id],
  queryFn: () => versionOf(api.GET('/api/patch-policies/{id}', { params: { path: { id } } })),
})
