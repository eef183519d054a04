import { EmptyState, Paper, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../../../api/client.ts'
import { LoadMore } from '../../../../components/load-more.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { computerKey } from '../../computer-data.ts'
import { TabContent } from '../tab-content.tsx'
import classes from './event-history.module.css'
import { useEventWords } from './event-words.ts'

/** Of work, only what people chose: progress of running work would hide everything else. */
const topics = ['computer', 'inventory', 'issue', 'deployment', 'patch', 'user', 'package-request']
const types = [...topics.map((topic) => `muster.${topic}.*`), 'muster.work.choice'].join(',')

const pageSize = 50

/** What the event log has about the computer: inventory, issues, deployments and properties. */
export function EventHistory({ id }: { id: number }) {
  const texts = useComputerHistoryTexts()
  const inWords = useEventWords()
  const query = useInfiniteQuery({
    queryKey: [...computerKey(id), 'events'],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/fleet/computers/{id}/events', {
          params: { path: { id }, query: { types, limit: pageSize, ...(pageParam && { before: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
  })
  return (
    <TabContent query={{ ...query, data: query.data?.pages.flatMap(({ items }) => items) }}>
      {(events) => (
        <Paper withBorder>
          {events.length === 0 && <EmptyState p="xl" title={texts.noEvents} description={texts.noEventsHint} />}
          <ol className={classes.list}>
            {events.map(({ id, time, type, data }) => {
              const { text, details } = inWords(type, data)
              return (
                <li key={id} className={classes.event}>
                  <Text size="xs" c="dimmed">
                    <Moment at={time} />
                  </Text>
                  <div>
                    <Text size="sm">{text}</Text>
                    {details && (
                      <Text size="xs" c="dimmed" className="breakable">
                        {details}
                      </Text>
                    )}
                  </div>
                </li>
              )
            })}
          </ol>
          <LoadMore query={query} />
        </Paper>
      )}
    </TabContent>
  )
}
