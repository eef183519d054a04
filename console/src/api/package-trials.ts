import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type PackageTrial = Schemas['PackageTrial']
export type TrialStep = Schemas['TrialStep']

export const packageTrialEvents = ['muster.package-trial.*']

const pollMilliseconds = 1_000

export const isTrialOpen = ({ state }: Pick<PackageTrial, 'state'>) => state === 'Waiting' || state === 'Running'

/** The newest trial of a package, with everything about it; null if it was never tried. An open one is read again and again. */
export const newestTrialQuery = (packageId: string) =>
  queryOptions({
    queryKey: ['package', packageId, 'trial'],
    queryFn: async (): Promise<PackageTrial | null> => {
      const path = { id: packageId }
      const { items } = await answerOf(api.GET('/api/packages/{id}/trials', { params: { path, query: { top: 1 } } }))
      const [newest] = items
      if (!newest) return null
      return answerOf(api.GET('/api/package-trials/{id}', { params: { path: { id: newest.trialId } } }))
    },
    refetchInterval: ({ state: { data } }) => (data && isTrialOpen(data) ? pollMilliseconds : false),
  })

/** A trial with everything about it. */
export const trialQuery = (packageId: string, trialId: string) =>
  queryOptions({
    queryKey: ['package', packageId, 'trial', trialId],
    queryFn: () => answerOf(api.GET('/api/package-trials/{id}', { params: { path: { id: trialId } } })),
  })
