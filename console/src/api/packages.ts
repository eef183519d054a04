import { queryOptions } from '@tanstack/react-query'
import { answerOf, api, versionOf } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type Package = Schemas['Package']
export type PackageSummary = Schemas['PackageSummary']
export type PackagePageData = Schemas['PackagePage']
export type PackageJob = Schemas['PackageImportStatus']
export type FailureCause = Schemas['FailureCause']

/** Everything that the page of a package shows. */
export const packagePageQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id],
    queryFn: () => answerOf(api.GET('/api/fleet/packages/{id}', { params: { path: { id } } })),
  })

/** The package with its version: what is released or withdrawn is what the person has seen. */
export const packageVersionQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'version'],
    queryFn: () => versionOf(api.GET('/api/packages/{id}', { params: { path: { id } } })),
  })
