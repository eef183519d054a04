import { EmptyState, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { TimelineList } from './timeline-list.tsx'
import type { TimelineEntry, TimelineState } from './timeline-states.ts'

export type TimelineQuery = {
  state: TimelineState[]
  kind?: TimelineEntry['kind'][]
  groupId?: string
  mine?: boolean
  singleComputers?: boolean
}

type TimelineSectionProps = {
  title: string
  query: TimelineQuery
  empty: { title: string; text: string }
  /** Above the list. */
  before?: ReactNode
  /** Progress without an event of its own, such as the next evaluation of a rollout. */
  isPolled?: boolean
}

const pollMilliseconds = 5_000

/** A part of the timeline, read page by page. */
export function TimelineSection({ title, query, empty, before, isPolled = false }: TimelineSectionProps) {
  const pages = useListPages({
    queryKey: ['tasks', 'timeline', query],
    load: (page) => api.GET('/api/fleet/timeline', { params: { query: { top: 25, ...query, ...page } } }),
    refetchInterval: isPolled && pollMilliseconds,
  })
  return (
    <Section title={title}>
      {before}
      {pages.error && !pages.rows ? (
        <ProblemView error={pages.error} onRetry={pages.refetch} />
      ) : !pages.rows ? (
        <Stack gap="sm">
          <Skeleton h={44} />
          <Skeleton h={44} />
        </Stack>
      ) : pages.rows.length === 0 ? (
        <EmptyState p="md" title={empty.title} description={empty.text} />
      ) : (
        <TimelineList entries={pages.rows} label={title} />
      )}
      <LoadMore query={pages} />
    </Section>
  )
}
