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
export type RunningSingles = Schemas['RunningSingles']
export type History = Schemas['FleetHistory']

export const countWithIssue = ({ issues }: FleetCounts, name: IssueName) =>
  issues.find(({ issue }) => issue === name)?.count ?? 0

export const overviewKey = ['overview']

/** The fleet is counted every few seconds to every minute, by its size. No event says so. */
export const countMilliseconds = 10_000

/** No event says that an agent waits or has made its first contact, and somebody looks at the page until it does. */
const firstComputerMilliseconds = 2_000

const hour = 60 * 60 * 1_000
const day = 24 * hour

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

type Metric = 'computers' | 'missingPatches' | 'patchSla'

/** Of a month, one sample a day is enough. A fleet with fewer of them is shown by the hour. */
const spans = { month: { resolution: 'Day', days: 30 }, start: { resolution: 'Hour', days: 3 } } as const
const minDays = 3

export type TrendSpan = keyof typeof spans

export const beginningOf = (span: TrendSpan, now = Date.now()) => new Date(now - spans[span].days * day).toISOString()

/** How the fleet developed in the last month, or in its first days. */
export function useHistory(metric: Metric): { span: TrendSpan; history: History | undefined } {
  const month = useSamples(metric, 'month')
  const isNew = month !== undefined && month.timesUtc.length < minDays
  const start = useSamples(metric, 'start', isNew)
  return isNew ? { span: 'start', history: start } : { span: 'month', history: month }
}

function useSamples(metric: Metric, span: TrendSpan, enabled = true): History | undefined {
  const { resolution } = spans[span]
  return useQuery({
    queryKey: ['fleet-history', metric, span],
    queryFn: () => {
      const query = { metric, resolution, from: beginningOf(span) }
      return answerOf(api.GET('/api/fleet/history', { params: { query } }))
    },
    enabled,
    staleTime: hour / 4,
    refetchInterval: hour / 4,
  }).data
}
