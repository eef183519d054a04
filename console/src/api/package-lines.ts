import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type PackageLine = Schemas['PackageLine']
export type LineVersion = Schemas['LineVersion']
export type PackageUpgrade = Schemas['PackageUpgrade']
export type UnusedPackage = Schemas['UnusedPackage']

/** The line of a package with the use of its versions. */
export const packageLineQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'line'],
    queryFn: () => answerOf(api.GET('/api/packages/{id}/line', { params: { path: { id } } })),
  })

/** The groups that have an older version. */
export const upgradeProposalQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'upgrade-proposal'],
    queryFn: () => answerOf(api.GET('/api/packages/{id}/upgrade-proposal', { params: { path: { id } } })),
  })

/** The last upgrades of the line of a package. */
export const upgradesQuery = (id: string) =>
  queryOptions({
    queryKey: ['package', id, 'upgrades'],
    queryFn: () => answerOf(api.GET('/api/package-upgrades', { params: { query: { packageId: id, top: 10 } } })),
  })

export const unusedPackagesQuery = queryOptions({
  queryKey: ['packages', 'unused'],
  queryFn: () => answerOf(api.GET('/api/package-lines/unused')),
})
