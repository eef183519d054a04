import { EmptyState, Skeleton, Stack } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { SingleTasks, useSingleTasks } from './single-tasks.tsx'
import { TimelineList } from './timeline-list.tsx'
import type { TimelineQuery } from './timeline-states.ts'

type TimelineSectionProps = {
  title: string
  query: TimelineQuery
  empty: { title: string; text: string }
  /** Lists the tasks of single computers, which are one entry until then. */
  onShowSingles?: () => void
  /** Progress without an event of its own, such as the next evaluation of a rollout. */
  isPolled?: boolean
}

const pollMilliseconds = 5_000

/** A part of the timeline, read page by page. */
export function TimelineSection({ title, query, empty, onShowSingles, isPolled = false }: TimelineSectionProps) {
  const pages = useListPages({
    queryKey: ['tasks', 'timeline', query],
    load: (page) => api.GET('/api/fleet/timeline', { params: { query: { top: 25, ...query, ...page } } }),
    refetchInterval: isPolled && pollMilliseconds,
  })
  const singles = useSingleTasks(query, onShowSingles !== undefined)
  return (
    <Section title={title}>
      {singles > 0 && <SingleTasks count={singles} onShow={onShowSingles} />}
      {pages.error && !pages.rows ? (
        <ProblemView error={pages.error} onRetry={pages.refetch} />
      ) : !pages.rows ? (
        <Stack gap="sm">
          <Skeleton h={44} />
          <Skeleton h={44} />
        </Stack>
      ) : pages.rows.length === 0 ? (
        singles > 0 ? null : (
          <EmptyState p="md" title={empty.title} description={empty.text} />
        )
      ) : (
        <TimelineList entries={pages.rows} label={title} />
      )}
      <LoadMore query={pages} />
    </Section>
  )
}
