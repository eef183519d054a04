import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'

type Schemas = components['schemas']
export type IssueName = Schemas['IssueName']
export type IssueCause = Schemas['IssueCause']
export type IssuePageData = Schemas['IssuePage']

/** The service gives computers without a known cause the id `-`. */
export const isKnownCause = (causeId: string) => causeId !== '' && causeId !== '-'

export const issuePageQuery = (issue: IssueName) =>
  queryOptions({
    queryKey: ['issue', issue],
    queryFn: () => answerOf(api.GET('/api/fleet/issues/{issue}', { params: { path: { issue } } })),
  })

export const statisticsQuery = queryOptions({
  queryKey: ['statistics'],
  queryFn: () => answerOf(api.GET('/api/computer/statistics')),
  // The service counts in the background; the age of the counts is shown.
  refetchInterval: 30_000,
})
