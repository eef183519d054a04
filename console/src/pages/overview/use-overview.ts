import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { useLive } from '../../live/use-live.ts'

type Schemas = components['schemas']
export type Overview = Schemas['FleetOverview']
export type FleetCounts = Schemas['FleetCounts']
export type IssueName = Schemas['IssueName']
export type Steps = Schemas['FirstSteps']
export type RunningRollout = Schemas['RolloutSummary']
export type RunningTask = Schemas['RunningTask']
export type History = Schemas['FleetHistory']

export const countWithIssue = ({ issues }: FleetCounts, name: IssueName) =>
  issues.find(({ issue }) => issue === name)?.count ?? 0

export const overviewKey = ['overview']

/** The fleet is counted every few seconds to every minute, by its size. No event says so. */
const countMilliseconds = 10_000

/** No event says that an agent waits or has made its first contact, and somebody looks at the page until it does. */
const firstComputerMilliseconds = 2_000

const days30 = 30 * 24 * 60 * 60 * 1_000
const hour = 60 * 60 * 1_000

/** Everything that the page shows except its trends. */
export function useOverview() {
  useLive({
    types: ['muster.computer.*', 'muster.package.*', 'muster.task.*', 'muster.work.*', 'muster.rollout.*'],
    refreshes: [overviewKey],
  })
  return useQuery({
    queryKey: overviewKey,
    queryFn: () => answerOf(api.GET('/api/fleet/overview')),
    refetchInterval: ({ state: { data } }) =>
      data?.steps.hasComputer === false ? firstComputerMilliseconds : countMilliseconds,
  })
}

/** The last 30 days, with a sample for each hour. */
export function useHistory(metric: 'computers' | 'missingPatches') {
  return useQuery({
    queryKey: ['fleet-history', metric],
    queryFn: () => {
      const from = new Date(Date.now() - days30).toISOString()
      return answerOf(api.GET('/api/fleet/history', { params: { query: { metric, resolution: 'Hour', from } } }))
    },
    staleTime: hour / 4,
    refetchInterval: hour / 4,
  })
}
